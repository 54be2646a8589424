"""How well models separate categories of terms."""
