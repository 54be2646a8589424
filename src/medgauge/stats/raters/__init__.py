"""How far raters agree, and how reliable their ratings are."""
