"""The types, where mypy is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path


class Types(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("mypy") is None, "mypy is not installed: pip install mypy")
    def test_types(self) -> None:
        command = [sys.executable, "-m", "mypy", "--strict", "src/paydesk", "tests/live.py"]
        found = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == "__main__":
    unittest.main()
