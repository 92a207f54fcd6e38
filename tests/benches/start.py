"""How long `lab ask` takes to load, beside Python itself and beside numpy, which the search needs.

Prints a table; judges nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.benches.loop import interleaved

MEASURED = (["-c", "pass"], ["-c", "import numpy"], ["-m", "lab", "ask", "--help"])


def main() -> None:
    """Measure and print."""
    nothing, numpy, lab = interleaved(*(lambda given=given: loaded(given) for given in MEASURED))
    print("loading, medians")
    print(f"  Python itself                 {nothing * 1e3:8.0f} ms")
    print(f"  numpy, beyond that            {(numpy - nothing) * 1e3:8.0f} ms")
    print(f"  lab ask, beyond that          {(lab - nothing) * 1e3:8.0f} ms   (bar: 400 ms)")


def loaded(given: list[str]) -> None:
    """Run a Python of its own, which keeps what it compiled, as an installed one does."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *given], check=True, stdout=subprocess.DEVNULL, env=env)


if __name__ == "__main__":
    main()
