"""How well raters agree, and how reliable their ratings are."""
