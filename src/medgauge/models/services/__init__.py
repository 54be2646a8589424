"""Models behind an address: services with vectors of terms, and chat models that rate pairs."""
