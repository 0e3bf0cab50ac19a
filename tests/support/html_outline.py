"""What a page consists of, and that its tags nest."""

from html.parser import HTMLParser


class Outline(HTMLParser):
    """Checks that tags nest, and collects ids, attributes, texts, headings and the numbers of tags."""

    VOID = frozenset({"meta", "input", "br", "path", "circle", "rect", "line"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.attributes, self.text, self.headings, self.tags = [], [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attributes]
        self.ids += [v for k, v in attributes if k == "id"]

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


def outline(html):
    """The outline of a page whose tags nest and whose ids are unique."""
    parser = Outline()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids)), "ids are unique"
    return parser
