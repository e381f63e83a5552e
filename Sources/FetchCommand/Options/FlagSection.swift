/// The groups in which `--help` and the man page list the flags, in their order.
package enum FlagSection: String, CaseIterable, Sendable {
    case task = "Which task"
    case background = "Background"
    case request = "The request"
    case authentication = "Authentication"
    case session = "Session"
    case cookies = "Cookies"
    case tls = "TLS"
    case proxy = "Proxy"
    case redirects = "Redirects"
    case retries = "Continuing and trying again"
    case messages = "Messages"
    case compatibility = "Accepted for pasted commands"
}
