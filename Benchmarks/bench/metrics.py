"""What many samples come to."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Metric:
    """What is looked at of a run, and in which unit it is shown."""

    unit: str
    scale: float
    form: str


METRICS = {
    "wall": Metric("ms", 1e3, "{:.1f}"),
    "cpu": Metric("ms", 1e3, "{:.1f}"),
    "memory": Metric("MiB", 1 / 1024, "{:.1f}"),
    "instructions": Metric("M", 1e-6, "{:.1f}"),
}


@dataclass
class Series:
    """The values of one metric of one case: one list for each tool, in the order of the runs."""

    case: str
    metric: str
    values: dict[str, list[float]] = field(default_factory=dict)

    def add(self, tool, value):
        if value is not None:
            self.values.setdefault(tool, []).append(value)

    def median(self, tool):
        return statistics.median(self.values[tool]) if self.values.get(tool) else None

    def middle_half(self, tool):
        values = self.values[tool]
        if len(values) < 2:
            return values[0], values[0]
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        return low, high

    def ratio(self, tool, other):
        """The median of the ratios of runs that were made side by side; None without any."""
        pairs = list(zip(self.values.get(tool, []), self.values.get(other, [])))
        ratios = [one / another for one, another in pairs if another > 0]
        return statistics.median(ratios) if ratios else None


class Results:
    """All series, by case and metric."""

    def __init__(self):
        self.series = {}

    def add(self, case, metric, tool, value):
        key = (case, metric)
        self.series.setdefault(key, Series(case, metric)).add(tool, value)

    def add_sample(self, case, tool, sample):
        """What was looked at of a run; nothing where the tool cannot do the work."""
        for metric in case.metrics:
            if sample is not None and metric != "instructions":
                self.add(case.name, metric, tool, getattr(sample, metric))

    def get(self, case, metric):
        return self.series.get((case, metric))

    def raw(self):
        """Everything, for a file."""
        return [
            {"case": each.case, "metric": each.metric, "values": each.values}
            for each in self.series.values()
        ]
