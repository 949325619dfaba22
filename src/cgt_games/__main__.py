"""``python -m cgt_games`` is the command ``cgt-games``."""

import sys

from cgt_games.cli import main

sys.exit(main())
