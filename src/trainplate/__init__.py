"""Makes chat templates trainable: patches any of them into a training template, with proof, or refuses with a reason."""

from trainplate.errors import LoadingError, Refusal, SyntaxFault, TrainplateError
from trainplate.patching import Patch, patch

__version__ = "0.1.0"
__all__ = ["LoadingError", "Patch", "Refusal", "SyntaxFault", "TrainplateError", "patch"]
