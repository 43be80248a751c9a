"""What is known about families of chat templates, read from the facts in `chat_templates/`."""
