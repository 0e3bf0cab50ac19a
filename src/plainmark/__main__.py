"""Runs the command line as `python -m plainmark`."""

import sys

from .cli import main

sys.exit(main())
