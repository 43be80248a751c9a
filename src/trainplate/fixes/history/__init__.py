"""How a template tells a growing conversation, and what makes it take earlier text back."""
