"""The editor: your text with marks and cards, the original beside it, targets and facts.

pages.py answers the browser, requests.py has what can be asked, work.py does it in a worker process, checklist.py writes the
facts as a list to sign, form.py is the page without JavaScript. static/editor.js is built from the folder editor/ of the
repository by `make editor`.
"""
