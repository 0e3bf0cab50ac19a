"""The playground: paste two texts and see what changed; programs get the same results as JSON. Nothing is stored.

app.py has the pages and the API, auth.py checks host, origin and token, requests.py defines requests and openapi.py
describes them, workers.py runs jobs.py in processes with a time limit, served_metrics.py lists the metrics that a request
may name, reports.py lists the reports of a folder, and serving.py starts the server.
"""
