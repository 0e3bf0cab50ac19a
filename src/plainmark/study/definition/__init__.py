"""What a study is: the models of study.yaml, its items, and loading and checking both."""
