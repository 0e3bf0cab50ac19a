"""The playground: paste two texts and see what changed; programs use the same as JSON. Nothing is stored.

app.py has the pages and the API, auth.py checks host, origin and token, requests.py has what can be requested and openapi.py
describes it, workers.py runs jobs.py in processes with a time limit, served_metrics.py lists the metrics that a request may
name, reports.py lists the reports of a folder, serving.py starts it all.
"""
