"""Answers "am I done?": tests, format, lint, types and import contracts, each in one line, all that fail in full."""

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

TESTS = {"tests": [sys.executable, "-m", "pytest", "-q", "-n", "2"]}
CHECKS = {
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "lint": [str(BIN / "ruff"), "check", "."],
    "types": [str(BIN / "mypy")],
    "imports": [str(BIN / "lint-imports"), "--no-logo"],
}


def passes(name: str, command: list[str]) -> bool:
    """Run one check, and show what it printed where it failed."""
    start = time.perf_counter()
    result = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    verdict = "passed" if result.returncode == 0 else "FAILED"
    print(f"{name:10}{verdict}  {time.perf_counter() - start:6.1f} s", flush=True)
    if result.returncode != 0:
        print(result.stdout, flush=True)
    return result.returncode == 0


def main() -> int:
    """Run every check, whether or not one before it failed; exit 1 where any did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-tests", action="store_true", help="format, lint, types and imports alone")
    checks = CHECKS if parser.parse_args().without_tests else CHECKS | TESTS
    verdicts = [passes(name, command) for name, command in checks.items()]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
