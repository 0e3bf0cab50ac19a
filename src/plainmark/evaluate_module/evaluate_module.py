"""The file that evaluate.load copies and runs; its name must be that of the folder."""

from typing import Any

import datasets
import evaluate

import plainmark

_TEXT = datasets.Value("string")


class Plainmark(evaluate.Metric):  # type: ignore[misc]
    """The metric named by the configuration, which may be any specification; SARI by default."""

    def _info(self) -> Any:
        name = "sari" if self.config_name in (None, "default") else self.config_name
        self.evaluator = plainmark.Evaluator(name)
        (metric,) = self.evaluator.metrics
        inputs = self.evaluator.inputs
        single = dict.fromkeys(inputs, _TEXT)
        # Several references per sample, or one; evaluate uses the first form that fits.
        forms = [{**single, "references": [_TEXT]}, single] if "references" in inputs else [single]
        return evaluate.MetricInfo(
            description=type(metric).__doc__ or "",
            citation=metric.citation,
            inputs_description=f"Texts: {', '.join(inputs)}.",
            features=[datasets.Features(form) for form in forms],
            homepage="",
            license="Apache-2.0",
            module_name=metric.spec,
            format=None,
        )

    def _compute(self, **inputs: Any) -> dict[str, Any]:
        return self.evaluator.compute(**{name: list(texts) for name, texts in inputs.items()})
