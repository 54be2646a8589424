"""The words of tables and plots: names of metrics, captions and conclusions."""
