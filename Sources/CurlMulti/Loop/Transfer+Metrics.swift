extension Transfer {
    /// What it has cost so far, and no more of that than somebody wants to know.
    var metrics: TransferMetrics {
        var metrics = TransferMetrics(slot.handle)
        if let measurements {
            metrics.complete(slot.handle)
            measurements.complete(&metrics)
        }
        return metrics
    }
}
