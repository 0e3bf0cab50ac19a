"""Run a study with people and see what they understand: define, check, plan, serve, analyse."""
