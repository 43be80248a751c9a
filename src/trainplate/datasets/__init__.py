"""From data sets of conversations to data sets of tokens."""

from trainplate.datasets.choices import preparation_of
from trainplate.datasets.preparation import Preparation
from trainplate.datasets.stored_conversations import prepare, summary_of
from trainplate.datasets.summary import Summary

__all__ = ["Preparation", "Summary", "preparation_of", "prepare", "summary_of"]
