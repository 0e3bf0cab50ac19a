"""The editor: a text with marks and cards, the original beside it, targets and facts.

pages.py answers requests of the browser, requests.py defines them, work.py performs them in a worker process, checklist.py
writes the facts as a list to sign, form.py is the page without JavaScript. static/editor.js is built from the folder
editor/ of the repository by `make editor`.
"""
