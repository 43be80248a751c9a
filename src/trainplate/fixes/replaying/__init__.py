"""The parts of a replay: what was measured, and the driver that renders the original turn by turn."""
