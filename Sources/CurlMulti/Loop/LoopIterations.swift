package import HTTPSemantics

/// Makes the iterations of a loop, on the loop's own thread or on an owner's.
///
/// An owner calls ``iterate()`` and ``wait(until:among:unless:)`` alternately, always on the same
/// thread. The loop calls its handlers on that thread.
package final class LoopIterations {
    private let loop: TransferLoop
    /// The engine, made with the first command.
    private var engine: LoopEngine?
    /// Whether the loop has made its last iteration.
    private var hasEnded = false

    /// Makes the iterations of a loop; call it once for each loop.
    package init(_ loop: TransferLoop) {
        self.loop = loop
    }

    /// Makes one iteration, except for the wait: it executes commands, lets libcurl work, and reports
    /// the results.
    ///
    /// - Returns: `false` after the loop's `finish`, once the last transfer has ended.
    package func iterate() -> Bool {
        guard !hasEnded else { return false }
        if engine == nil {
            guard loop.hasCommands else { return !loop.isFinished }
            do throws(CurlCode) {
                engine = try LoopEngine(for: loop)
            } catch {
                refuseAll(error)
                // The loop's own thread ends here: the next transfer tries again with another thread.
                return loop.isHosted
            }
        }
        if engine?.iterate() == true { return true }
        engine = nil
        hasEnded = true
        return false
    }

    /// Sleeps until there is work.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - descriptors: the owner's own descriptors; it flags those that are ready.
    ///   - isBusy: finds out whether the owner has work already; other threads post that work under
    ///     locks, and then ring the loop's bell.
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
        loop.bell.wait(until: moment, among: &descriptors, unless: { loop.hasCommands || isBusy() })
    }

    /// Sleeps on the loop's own thread.
    func wait() {
        var none: [AwaitedDescriptor] = []
        wait(until: nil, among: &none, unless: { false })
    }

    /// Fails all transfers of a loop that could not make its handle.
    private func refuseAll(_ code: CurlCode) {
        while let commands = loop.takeLastCommands() {
            for case .start(_, _, let makeHandler) in commands {
                LoopEngine.refuse(makeHandler(), code)
            }
        }
    }
}
