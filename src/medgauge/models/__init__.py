"""Everything that can score a pair of terms."""
