package import HTTPSemantics

/// The iterations of a loop, for the thread that makes them: the loop's own, or an owner's.
///
/// An owner calls ``iterate()`` and ``wait(until:among:unless:)`` alternately, always on the same
/// thread. Handlers are called on that thread.
public final class LoopIterations {
    private let loop: TransferLoop
    /// Made with the first command.
    private var engine: LoopEngine?
    /// Whether the last iteration was made.
    private var hasEnded = false

    /// Makes the iterations of a loop; once for each loop.
    public init(_ loop: TransferLoop) {
        self.loop = loop
    }

    /// One iteration but for its end, the wait: commands, what libcurl can do, and what comes of that.
    ///
    /// - Returns: whether there is another; not once the loop was finished and its last transfer ended.
    public func iterate() -> Bool {
        guard !hasEnded else { return false }
        if engine == nil {
            guard loop.hasCommands else { return !loop.isFinished }
            do throws(CurlCode) {
                engine = try LoopEngine(for: loop)
            } catch {
                refuseAll(error)
                // A thread of the loop's own ends: the next transfer tries again with another.
                return loop.isHosted
            }
        }
        if engine?.iterate() == true { return true }
        engine = nil
        hasEnded = true
        return false
    }

    /// Sleeps until there is something to do.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - descriptors: what the owner waits for besides, flagged where it is ready.
    ///   - isBusy: whether the owner has something to do already; what it looks for is posted under
    ///     locks, and then the loop's bell is rung.
    package func wait(
        until moment: MonotonicInstant?,
        among descriptors: inout [AwaitedDescriptor],
        unless isBusy: () -> Bool
    ) {
        guard engine == nil else {
            engine?.wait(until: moment, among: &descriptors, unless: isBusy)
            return
        }
        let loop = loop
        loop.bell.wait(
            until: moment,
            among: &descriptors,
            unless: { loop.hasCommands || isBusy() }
        )
    }

    /// Sleeps as a thread of the loop's own.
    func wait() {
        var none: [AwaitedDescriptor] = []
        wait(until: nil, among: &none, unless: { false })
    }

    /// Fails all transfers of a loop that has no handle for them.
    private func refuseAll(_ code: CurlCode) {
        while let commands = loop.takeLastCommands() {
            for case .start(_, _, let makeHandler) in commands {
                LoopEngine.refuse(makeHandler(), code)
            }
        }
    }
}
