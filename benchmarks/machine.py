"""What the figures were measured on, and with which releases."""

import os
import platform
import resource
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("transformers", "tokenizers", "jinja2", "datasets", "trl", "fastokens", "minijinja")


def machine() -> str:
    """Name the processor, the cores that may be used, and Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or "unknown processor"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{model}, {cores} cores, Python {platform.python_version()}"


def releases() -> str:
    """Name the packages that are compared, with their versions."""
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def peak_memory() -> int:
    """Return the most memory that this process held, in KB.

    Linux tells it in `/proc`; what `getrusage` tells there counts the process that started this one too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1])
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held // 1024 if sys.platform == "darwin" else held
