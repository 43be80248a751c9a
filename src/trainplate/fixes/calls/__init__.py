"""What a template prints of tool calls, and of the messages that hold them."""
