"""What a study found: responses, comprehension, means, preferences, agreement."""
