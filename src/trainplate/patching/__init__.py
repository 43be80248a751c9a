"""From an original to its training template, with proof."""
