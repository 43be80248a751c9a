"""Reasoning that stands in the content of an answer: where a template cuts it off, and whether it is kept."""
