import Glibc

/// Sleeps until something happens that the run has to look at.
struct Waiter {
    /// What ended a wait.
    enum Wake {
        /// Somebody rang the bell.
        case bell
        case signal(Int32)
        /// The moment that was named has come.
        case late
    }

    let bell: Doorbell
    /// Has something to do now and then, while bars are shown.
    let printer: Printer

    /// Waits until something is so, of which the bell tells, or for a signal or a moment.
    func wait(
        _ signals: borrowing Signals,
        until moment: ContinuousClock.Instant,
        for isSo: () -> Bool
    ) -> Wake {
        while !isSo() {
            let wake = wait(signals, until: moment)
            guard case .bell = wake else { return wake }
        }
        return .bell
    }

    /// Waits for the bell, a signal, or a moment, whatever comes first.
    func wait(
        _ signals: borrowing Signals,
        until moment: ContinuousClock.Instant?
    ) -> Wake {
        while true {
            var asked = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let next = [moment, printer.nextTick].compactMap(\.self).min()
            let left = next.map { ($0 - .now) / .milliseconds(1) }
            _ = Glibc.poll(&asked, 2, left.map { CInt(clamping: Int(max(0, $0) + 1)) } ?? -1)
            if let signal = signals.next() { return .signal(signal) }
            if asked[0].revents != 0 {
                bell.answer()
                return .bell
            }
            if let moment, moment <= .now { return .late }
            printer.tick()
        }
    }
}
