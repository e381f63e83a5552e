/// A passing sink that takes note of each piece once, and of whether the body comes to its end.
protocol WitnessingSink: PassingSink {
    /// Whether the body is not wanted to its end, so that what was noted is not of the whole.
    var isCutShort: Bool { get set }

    /// Takes note of bytes that the other sink has taken.
    func note(_ bytes: UnsafeRawBufferPointer)
}

extension WitnessingSink {
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        let verdict = try sink.take(bytes)
        switch verdict {
        // The same piece comes again.
        case .full: break
        case .taken: note(bytes)
        case .enough: isCutShort = true
        }
        return verdict
    }

    func goOn() throws(URLError) -> SinkVerdict {
        let verdict = try sink.goOn()
        if verdict == .enough { isCutShort = true }
        return verdict
    }
}
