"""The measures of similarity: declared, and computed by compiled kernels."""
