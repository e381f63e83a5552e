/// A sink that looks at a body on its way to another, which does all else.
protocol PassingSink: BodySink {
    /// The other.
    var sink: any BodySink { get }
}

extension PassingSink {
    var isDrained: Bool { sink.isDrained }

    func goOn() throws(URLError) -> SinkVerdict { try sink.goOn() }

    func decide(_ disposition: BodyDisposition) { sink.decide(disposition) }

    func turnEnded() throws(URLError) { try sink.turnEnded() }

    var nextTurn: ContinuousClock.Instant? { sink.nextTurn }

    var hasEnough: Bool { sink.hasEnough }

    func finish(_ end: inout HopEnd) throws(URLError) { try sink.finish(&end) }
}
