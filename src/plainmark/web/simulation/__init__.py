"""Simulated participants who take a study through its real pages while its server crashes."""
