"""The documentation as a site: sphinx-build -W docs site."""

project = "plainmark"
extensions = ["myst_parser"]
myst_heading_anchors = 3
highlight_language = "none"
html_theme = "furo"
html_title = "plainmark"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
