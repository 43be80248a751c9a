"""The steps by which generation markers find their places in a template's source."""
