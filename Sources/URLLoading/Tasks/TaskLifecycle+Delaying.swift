// A first hop that begins no earlier than a date, and not before the delegate was asked about it.
extension TaskLifecycle {
    /// Waits for the date, or asks where it has come.
    ///
    /// The time for the whole does not run meanwhile.
    mutating func waitForDate(_ delay: Duration) -> [Action] {
        guard delay > .zero else {
            state = .askingDelayed
            return [.askDelayed(currentRequest)]
        }
        stopwatch.stop()
        state = .delayed
        delays += 1
        return [.awaitDate(delay, delays)]
    }

    /// The date may have come, or is another now.
    ///
    /// - Parameters:
    ///   - number: which wait has ended; `nil`: the date has changed.
    ///   - delay: the time until the date; `nil`: it has passed.
    /// - Returns: the actions; none where the task does not wait for the date any more.
    mutating func dateMayHaveCome(_ number: Int?, delay: Duration?) -> [Action] {
        guard case .delayed = state, number ?? delays == delays else { return [] }
        stopwatch.start()
        return waitForDate(delay ?? .zero)
    }

    /// Takes what the delegate says to a delayed request.
    ///
    /// - Parameters:
    ///   - disposition: the delegate's disposition.
    ///   - request: the new request.
    ///   - ownBody: the new request's body; `nil`: the body is the task's own.
    /// - Returns: the actions.
    mutating func resolveDelay(
        _ disposition: URLSession.DelayedRequestDisposition,
        _ request: URLRequest?,
        ownBody: TaskBody? = nil
    ) -> [Action] {
        guard case .askingDelayed = state else { return [] }
        hasAskedDelayed = true
        switch disposition {
        case .continueLoading: break
        case .useNewRequest:
            currentRequest = request ?? currentRequest
            body = ownBody ?? body
        case .cancel: return cancel()
        }
        return goOn()
    }
}
