"""The store of a study: what is stored, and the rules that hold whatever a page sends."""
