"""What many samples come to."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Figure:
    """What is looked at of a run, and in which unit it is shown."""

    unit: str
    scale: float
    form: str


FIGURES = {
    "wall": Figure("ms", 1e3, "{:.1f}"),
    "cpu": Figure("ms", 1e3, "{:.1f}"),
    "memory": Figure("MiB", 1 / 1024, "{:.1f}"),
    "instructions": Figure("M", 1e-6, "{:.1f}"),
}


@dataclass
class Series:
    """The values of one figure of one case: one list for each tool, in the order of the runs."""

    case: str
    figure: str
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
        """The median of the ratios of runs that stood side by side; None without any."""
        pairs = list(zip(self.values.get(tool, []), self.values.get(other, [])))
        ratios = [one / another for one, another in pairs if another > 0]
        return statistics.median(ratios) if ratios else None


class Results:
    """All series, by case and figure."""

    def __init__(self):
        self.series = {}

    def add(self, case, figure, tool, value):
        key = (case, figure)
        self.series.setdefault(key, Series(case, figure)).add(tool, value)

    def add_sample(self, case, tool, sample):
        """What was looked at of a run; nothing where the tool cannot do the work."""
        for figure in case.figures:
            if sample is not None and figure != "instructions":
                self.add(case.name, figure, tool, getattr(sample, figure))

    def get(self, case, figure):
        return self.series.get((case, figure))

    def raw(self):
        """Everything, for a file."""
        return [
            {"case": each.case, "figure": each.figure, "values": each.values}
            for each in self.series.values()
        ]
