"""How far apart models hold categories of terms."""
