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
