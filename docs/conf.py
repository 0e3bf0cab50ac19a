"""The documentation as a site: sphinx-build -W docs site."""

project = "plainmark"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
add_module_names = False
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
myst_heading_anchors = 3
highlight_language = "none"
html_theme = "furo"
html_title = "plainmark"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}


def setup(app):
    app.connect("autodoc-skip-member", lambda app, what, name, *_: True if name == "__new__" else None)
    app.connect("autodoc-process-signature", plain_signature)


def plain_signature(app, what, name, obj, options, signature, returned):
    """A signature with the types of options, without their help texts: `int` for `Annotated[int, "longest n-gram"]`."""
    opening = "~typing.Annotated["
    while signature and (start := signature.find(opening)) >= 0:
        first = start + len(opening)
        depth, comma, quote = 1, 0, ""
        for end in range(first, len(signature)):
            character = signature[end]
            if quote:
                quote = "" if character == quote else quote
            elif character in "'\"":
                quote = character
            elif character == "," and depth == 1:
                comma = comma or end
            else:
                depth += (character == "[") - (character == "]")
                if depth == 0:
                    break
        signature = signature[:start] + signature[first:comma] + signature[end + 1 :]
    return signature, returned
