"""python -m plainmark is the command plainmark."""

import sys

from .cli import main

sys.exit(main())
