"""`python -m lab` is the `lab` command."""

from lab.cli import main

if __name__ == "__main__":
    main()
