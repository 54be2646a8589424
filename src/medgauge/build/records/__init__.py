"""From health records to sets of pairs: samples, bands of counts, associations and vectors."""
