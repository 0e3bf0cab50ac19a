"""Small Word documents, written by hand."""

import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument'
    '.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
STYLES = (
    f'<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>'
    "</w:style></w:styles>"
)


def body(content):
    """A whole document.xml."""
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<w:document xmlns:w="{W}" xmlns:mc="urn:x" mc:Ignorable="w14"><w:body>{content}<w:sectPr/></w:body></w:document>'
    )


def paragraph(*runs, style="", properties=""):
    """A paragraph of runs, each a text or raw XML."""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    texts = "".join(
        r if r.startswith("<") else f'<w:r><w:t xml:space="preserve">{r}</w:t></w:r>' for r in runs
    )
    return f"<w:p><w:pPr>{styled}{properties}</w:pPr>{texts}</w:p>"


def write(path, content, **others):
    """Write a document; `others` are further files, with __ for / and _dot_ for a point."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", content)
        archive.writestr("word/styles.xml", STYLES)
        for name, data in others.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return path


def read(path, name="word/document.xml"):
    """A file of a document."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode("utf-8")
