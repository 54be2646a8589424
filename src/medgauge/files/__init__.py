"""Files and folders on disk: read without trusting them, written whole or not at all."""
