"""Other libraries, reached where they are installed and asked for."""
