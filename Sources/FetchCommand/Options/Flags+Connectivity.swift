import URLLoading

extension Flags {
    /// What is done where there is no network.
    static let connectivity: [Flag] = [
        Flag(
            ["--wait-for-connectivity"],
            section: .retries,
            help: "where there is no network, wait for one",
            details: """
                That is where no route, link or address leads to the server, or nobody can be asked \
                for its address; a server that refuses, or a name that does not exist, is an error as \
                ever. fetch says once that it waits, and goes on as soon as the kernel tells of a \
                link, an address or a route that has changed; without such word it looks again after \
                1 s, then 2 s and so on up to 30 s. Neither --timeout nor --tries counts meanwhile, \
                and --max-time does. A connection that breaks later is not waited for in this way. \
                With -vv the event taskIsWaitingForConnectivity tells.
                """
        ) { $0.session.settings.waitsForConnectivity = true }
    ]
}
