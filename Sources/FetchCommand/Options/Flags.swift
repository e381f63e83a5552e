/// Every flag there is, section by section; each section's are declared in a file of its own.
package enum Flags {
    /// All flags, in the order of help.
    package static let all: [Flag] =
        task + many + background + naming + conditions + integrity + body + spool + request
        + content + answers
        + authentication + session + sessions + splitting + configuration + cache + network
        + cookies + tls
        + strictTransport + proxy + redirects + retries + connectivity + messages + reports + events
        + compatibility

    /// The flag of this spelling, dashes included.
    package static func named(_ name: String) -> Flag? {
        all.first { $0.names.contains(name) }
    }
}
