"""The playground: paste two texts and see what changed; the same for programs as JSON. Nothing is stored.

app.py has the pages and the API, door.py who is let in, forms.py and asked.py what may be asked, schema.py says so in
OpenAPI, workers.py runs the work in processes that can be ended, jobs.py is that work, allowed.py which metrics a stranger
may name, library.py lists the reports of a folder, serving.py starts it all.
"""
