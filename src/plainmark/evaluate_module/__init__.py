"""plainmark's metrics as a module of Hugging Face's evaluate, for evaluate.load(plainmark.adapters.EVALUATE_MODULE, "sari")."""
