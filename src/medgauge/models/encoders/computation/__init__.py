"""How a network computes: batches by length, on a device, with what is faster there."""
