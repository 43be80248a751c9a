"""From an original to its training template, with proof."""

from trainplate.patching.deviations import Deviation
from trainplate.patching.patch import Patch, patch

__all__ = ["Deviation", "Patch", "patch"]
