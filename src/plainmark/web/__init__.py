"""Studies and the playground in the browser: the only HTTP code.

app.py puts the pages together, participant.py is what people see, admin.py what those see who run the study, guard.py
stands between both and the network, serving.py starts it, simulation.py sends robots through it. playground/ is
for pasting texts.
"""
