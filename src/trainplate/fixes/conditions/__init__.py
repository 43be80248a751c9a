"""Conditions with fixed parts: what is left of them, and of the template around them."""
