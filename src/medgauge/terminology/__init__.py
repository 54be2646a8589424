"""What a terminology says: concepts and their terms."""
