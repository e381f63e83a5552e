import CurlMulti

/// The rate that the hops of one download keep to together.
final class RateGroup: Sendable {
    let pacer: SharedPacer?

    init(_ options: URLSessionConfiguration.TransportOptions) {
        pacer = SharedPacer(bytesPerSecond: options.maximumBytesPerSecond)
    }
}
