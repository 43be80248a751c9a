"""The steps by which a turn gets a stop token of its own."""
