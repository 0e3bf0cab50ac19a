"""The n-gram language model of the metrics and the simplifier: training, ARPA files, the compact file and look-up."""

from .model import LanguageModel, PerplexityResult, embedded, is_model_name, load

__all__ = ["LanguageModel", "PerplexityResult", "embedded", "is_model_name", "load"]
