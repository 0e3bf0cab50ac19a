"""The n-gram language model: training, ARPA files, the compact file and look-up."""
