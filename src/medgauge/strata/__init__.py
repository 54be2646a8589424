"""Which pairs of a set belong together: by its columns, by bins of numbers, by attributes of words."""
