"""What is worth knowing of a template beyond the contract, one check a file."""
