"""`python -m tandemdb` is the command line."""

import sys

from .engine.cli.main import main

sys.exit(main())
