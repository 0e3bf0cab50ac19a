"""The n-gram language model of the metrics and the simplifier: training, ARPA files, the compact file and look-up."""

from .model import FileVersion, LanguageModel, PerplexityResult, embedded, file_version, is_model_name, load

__all__ = [
    "FileVersion",
    "LanguageModel",
    "PerplexityResult",
    "embedded",
    "file_version",
    "is_model_name",
    "load",
]
