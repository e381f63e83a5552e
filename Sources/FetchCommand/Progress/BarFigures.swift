/// What one bar shows.
struct BarFigures: Equatable {
    /// How it goes.
    enum Pace: Equatable {
        /// Nothing has begun.
        case waiting
        /// There is no network.
        case offline
        /// Nothing has come for a while.
        case stalled
        /// So many bytes per second; nil while that is not known.
        case moving(Double?)
    }

    /// Printable.
    var name: String
    /// What is done, 0 to 1; nil where the length is not known.
    var share: Double?
    var count: Int64 = 0
    /// The length, where it is known.
    var total: Int64?
    var pace = Pace.waiting
    /// Nil while there is no telling.
    var remaining: Duration?
    /// Bytes of the last seconds, the latest at the end.
    var history: [Double] = []
    /// How often something has come, for a gauge that has no end to fill towards.
    var steps = 0
}
