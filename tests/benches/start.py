"""How long `lab ask` takes to load, beside Python itself and beside numpy.

numpy is loaded with the index, once a question was understood; so what a whole question to the demo
model takes stands there too. Prints a table; judges nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.benches.loop import interleaved

MEASURED = (
    ["-c", "pass"],
    ["-c", "import numpy"],
    ["-m", "lab", "ask", "--help"],
    [
        "-m",
        "lab",
        "ask",
        "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?",
    ],
)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as home:
        nothing, numpy, lab, question = interleaved(
            *(lambda given=given: loaded(given, home) for given in MEASURED)
        )
    print("loading, medians")
    print(f"  Python itself                 {nothing * 1e3:8.0f} ms")
    print(f"  numpy, beyond that            {(numpy - nothing) * 1e3:8.0f} ms")
    print(f"  lab ask, beyond that          {(lab - nothing) * 1e3:8.0f} ms   (bar: 400 ms)")
    print(f"  a whole question, beyond that {(question - nothing) * 1e3:8.0f} ms")


def loaded(given: list[str], home: str) -> None:
    """Run a Python of its own, which keeps what it compiled, as an installed one does."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["LAB_HOME"] = home
    subprocess.run([sys.executable, *given], check=True, stdout=subprocess.DEVNULL, env=env)


if __name__ == "__main__":
    main()
