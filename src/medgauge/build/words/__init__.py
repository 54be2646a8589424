"""From a corpus's word table to pairs of words in quarters: biomedical or general, associated or not."""
