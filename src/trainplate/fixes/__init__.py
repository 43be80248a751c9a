"""Kinds of edit, one a file; each names the checks it cures."""

from trainplate.fixes.candidate import Candidate
from trainplate.fixes.registry import Fix, all_fixes

__all__ = ["Candidate", "Fix", "all_fixes"]
