"""Compression with zstd, which Python has from 3.14 on."""

import sys
from importlib import import_module


def zstd_packed(content: bytes) -> bytes:
    """Compress bytes with zstd."""
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    return bytes(zstd.compress(content))
