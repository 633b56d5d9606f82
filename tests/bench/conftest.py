"""`bench` is run from a clone and never installed, so these tests put the clone's root on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
