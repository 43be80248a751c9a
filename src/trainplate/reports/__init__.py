"""What people read: conversations with trained text marked, findings and refusals, and differences."""
