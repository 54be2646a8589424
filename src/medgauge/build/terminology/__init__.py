"""Sets of term pairs from a terminology."""
