import URLLoading

/// How the time of a request and its answer is divided, in microseconds; `nil` for a phase that
/// there was not.
///
/// The phases follow one another without gaps, so that they add up to the whole. One that failed
/// has the time until then, and those after it have none.
struct HARTimings: Equatable {
    /// Until the name is looked up, and between the connection and the request.
    let blocked: Int64
    let nameLookup: Int64?
    /// With TLS, as HAR 1.2 counts.
    let connect: Int64?
    let secureConnect: Int64?
    let send: Int64
    let wait: Int64
    let receive: Int64

    /// All together.
    var total: Int64 {
        blocked + (nameLookup ?? 0) + (connect ?? 0) + send + wait + receive
    }

    /// - Parameters:
    ///   - hop: the moments.
    ///   - isSecure: whether the server is spoken to with TLS.
    init(_ hop: HopMetrics, isSecure: Bool) {
        let isSent = hop.fetchType == .networkLoad
        let isNew = isSent && !hop.isReusedConnection
        var clock = Clock(hop)
        nameLookup = isNew ? clock.phase(until: hop.nameLookup) : nil
        let plain = isNew ? clock.phase(until: hop.connect) : nil
        secureConnect = isNew && isSecure ? clock.phase(until: hop.secureConnect) : nil
        let secure = secureConnect ?? 0
        connect = plain.map { $0 + secure }
        let waited = hop.waited + (isSent ? clock.phase(until: hop.requestStart) ?? 0 : 0)
        blocked = waited
        send = isSent ? clock.phase(until: hop.requestEnd) ?? 0 : 0
        wait = clock.phase(until: hop.responseStart) ?? 0
        receive = clock.phase(until: hop.end) ?? 0
    }

    /// Goes from one moment to the next, as far as the hop came.
    private struct Clock {
        private let end: Int64
        /// The last moment that was come to before the end.
        private let furthest: Int64
        private var now: Int64 = 0
        private var isOver = false

        init(_ hop: HopMetrics) {
            end = hop.end
            furthest = [
                hop.nameLookup, hop.connect, hop.secureConnect, hop.requestStart, hop.requestEnd,
                hop.responseStart,
            ].reduce(0, max)
        }

        /// - Parameter moment: the phase's end; 0 where that was not come to, or not noted.
        /// - Returns: how long it took; `nil` where the hop was over before.
        mutating func phase(until moment: Int64) -> Int64? {
            guard !isOver else { return nil }
            if moment == 0, now < furthest { return 0 }
            isOver = moment == 0
            let before = now
            now = moment == 0 ? end : max(now, min(moment, end))
            return now - before
        }
    }
}
