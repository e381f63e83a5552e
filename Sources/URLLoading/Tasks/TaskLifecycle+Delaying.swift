// A first hop with an earliest begin date, before which the delegate is also asked.
extension TaskLifecycle {
    /// Waits for the date; asks the delegate if the date has passed.
    ///
    /// The time limit of the task does not run while it waits.
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

    /// Handles the end of a wait, or a change of the date.
    ///
    /// - Parameters:
    ///   - number: the number of the wait that has ended; `nil`: the date was changed.
    ///   - delay: the time until the date; `nil`: none is set.
    /// - Returns: the actions; none where the task no longer waits for the date.
    mutating func dateMayHaveCome(_ number: Int?, delay: Duration?) -> [Action] {
        guard case .delayed = state, number ?? delays == delays else { return [] }
        stopwatch.start()
        return waitForDate(delay ?? .zero)
    }

    /// Handles the delegate's disposition of a delayed request.
    ///
    /// - Parameters:
    ///   - disposition: the delegate's disposition.
    ///   - request: the new request.
    ///   - ownBody: the new request's body; `nil`: the task's body.
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
        return beginNextHop()
    }
}
