"""Texts that are harmless if a page shows them as they are."""

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "' autofocus onfocus=alert(3) x='",
    "</title></textarea></option><svg onload=alert(4)>",
    "{{ 7 * 7 }}{% raw %}<b>bold</b>{% endraw %}",
    "<!--<iframe srcdoc='<script>parent.alert(5)</script>'>",
    "javascript:alert(6)//",
    "</style><style>@import 'http://example.org/x.css'</style>",
    "\u202e\u2066\ufffe<math><mi xlink:href='javascript:alert(7)'>x",
    "<base href='http://example.org/'><form action='http://example.org/'>",
    "</script><script>alert(8)</script>",
    "&lt;script&gt;alert(9)&lt;/script&gt; 12 Oslo not",
    "<a href=javascript:alert(10)>x</a> <details open ontoggle=alert(11)>",
]
EVIL = ". ".join(ATTACKS)
