import URLLoading

/// How much of `--jobs` is taken.
///
/// Where requests share a connection (HTTP/2) a job stands for several of them, since a single one
/// would leave the line idle for a round trip each time.
struct JobLoad {
    /// What a job is worth.
    private static let whole = 32

    private let limit: Int
    private var taken = 0
    /// The origins that take many requests over one connection.
    private var shared: Set<Origin> = []

    /// - Parameter jobs: how many run at once.
    init(jobs: Int) {
        limit = jobs * Self.whole
    }

    /// What a task at an origin takes.
    func share(of origin: Origin?) -> Int {
        origin.map(shared.contains) == true ? 1 : Self.whole
    }

    /// Whether there is room for so much.
    func hasRoom(for share: Int) -> Bool { taken + share <= limit }

    /// A task begins.
    mutating func add(_ share: Int) { taken += share }

    /// A task is over.
    mutating func remove(_ share: Int) { taken -= share }

    /// An origin has turned out to take many requests over one connection.
    mutating func note(shared origin: Origin?) {
        if let origin { shared.insert(origin) }
    }
}
