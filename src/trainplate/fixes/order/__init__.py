"""Finds what a turn prints in another order once a result follows."""
