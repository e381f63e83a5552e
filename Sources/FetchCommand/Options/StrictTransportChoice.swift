/// Where hosts are remembered that want TLS: `--hsts`, `--no-hsts`, `--hsts-file`.
enum StrictTransportChoice: Equatable, Sendable {
    case usual
    case file(String)
    case none
}
