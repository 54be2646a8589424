"""Tables of what was built: sets from a terminology, from health records, from text."""
