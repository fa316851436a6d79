"""Tests of the SDK: the vectors that the SDKs of all languages pass, and the transport against a real socket."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
