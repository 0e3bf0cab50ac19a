"""The functions that users call, one module per function: `plainmark.score`, `compare`, `report`, `explain`,
`stress`, `study`.

The command line calls the same functions; each returns a `plainmark.result.Result`.
"""
