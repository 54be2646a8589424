"""Tables of vectors made elsewhere: of terms, and of concepts by their ids or CUIs."""
