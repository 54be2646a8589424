"""The store of a study: what is kept, and the rules that hold whatever a page sends."""
