"""The tables that a run ends with."""

from .metrics import METRICS
from .targets import FASTEST, TARGETS


def table(results, tools):
    """Every metric: median and middle half of each tool, and fetch against the others."""
    others = [name for name in tools if name != "fetch"]
    head = ["case", "metric", *tools, *[f"fetch / {name}" for name in others]]
    rows = []
    for series in results.series.values():
        metric = METRICS[series.metric]
        row = [series.case, f"{series.metric}, {metric.unit}"]
        row += [cell(series, tool, metric) for tool in tools]
        for other in others:
            ratio = series.ratio("fetch", other)
            row.append("n/a" if ratio is None else f"{ratio:.2f}")
        rows.append(row)
    return aligned([head, *rows])


def cell(series, tool, metric):
    median = series.median(tool)
    if median is None:
        return "n/a"
    low, high = series.middle_half(tool)
    middle, low, high = (metric.form.format(each * metric.scale) for each in (median, low, high))
    return middle if low == high else f"{middle} ({low}–{high})"


def verdicts(results):
    """Each target with what was measured; those of cases that did not run are left out."""
    rows = [["target", "measured", ""]]
    for target in TARGETS:
        series = results.get(target.case, target.metric)
        if series is None:
            continue
        if target.against == FASTEST:
            ratios = [series.ratio("fetch", tool) for tool in series.values if tool != "fetch"]
            measured = max((ratio for ratio in ratios if ratio is not None), default=None)
        elif target.against:
            measured = series.ratio("fetch", target.against)
        else:
            measured = series.median("fetch")
            if measured is not None:
                measured *= METRICS[target.metric].scale
        if measured is None:
            continue
        state = "reached" if measured <= target.limit else "MISSED"
        rows.append([target.words(), f"{measured:.2f}", state])
    return aligned(rows) if len(rows) > 1 else ""


def aligned(rows):
    """A table of Markdown that can be read as it is."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
