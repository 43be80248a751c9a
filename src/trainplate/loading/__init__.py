"""From what a user names to templates: files, folders, the installed `trl`, the Hub, and live tokenizers."""
