"""Write the README's transcripts anew: `python tests/transcripts.py`.

Also what its test uses: how a command is run, and what of its output differs from run to run.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n\$ ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARYING = (
    (re.compile(r"run [0-9a-f]{16}"), "run 0123456789abcdef"),
    (re.compile(r"(?<=[ ,])\d+\.\d+ s(?=,)"), "0.0 s"),
    (re.compile(r"(?<= )\d\.\d\d(?=  ▇)"), "0.01"),
)
"""What differs from run to run, and how the README writes it."""


def run(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a `lab` command line in a process of its own."""
    call = [sys.executable, "-c", "from lab.cli import main; main()", *shlex.split(command)[1:]]
    environment = {"LAB_HOME": str(home), "PATH": "", "PYTHONWARNINGS": "error"}
    return subprocess.run(
        call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def transcript(printed: str) -> str:
    """What a command printed, as the README shows it."""
    for pattern, written in VARYING:
        printed = pattern.sub(written, printed)
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def main() -> None:
    """Replace each transcript by what its command prints now."""
    with tempfile.TemporaryDirectory() as folder:

        def anew(block: re.Match[str]) -> str:
            printed = transcript(run(block[1], Path(folder)).stdout)
            return f"```console\n$ {block[1]}\n{printed}```"

        README.write_text(BLOCK.sub(anew, README.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
