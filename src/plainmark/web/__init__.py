"""Studies and the playground in the browser: the only HTTP code.

study/ serves a study to participants and administrators, playground/ compares pasted texts, simulation/ sends simulated
participants through a study. security.py, rendering.py and server.py are shared.
"""
