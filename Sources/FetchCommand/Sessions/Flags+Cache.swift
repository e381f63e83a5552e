import URLLoading

extension Flags {
    static let cache: [Flag] = [
        Flag(
            ["--cache-policy"],
            value: "POLICY",
            kind: .choice(cachePolicyWords),
            help:
                "use the cache by POLICY: protocol, reload, revalidate, prefer-cache or only-cache",
            details: """
                Bodies for standard output are kept in `$XDG_CACHE_HOME/fetch/answers`, if the \
                server allows it. Bodies for files are not. `revalidate`, the default, asks the \
                server whether the stored response is still valid. `protocol` uses it without \
                asking while it is fresh, by the server's word or by a guess, and then asks. \
                `reload` never uses it. `prefer-cache` uses it however old it is, and fetches \
                what is not stored. `only-cache` does the same without the network; if nothing \
                is stored, the exit status is 11. If a response is used without asking the \
                server, a message gives its age. With --head, --include, --server-response, \
                --dump-header, --write-out, --har and -O /dev/null, which are about the request, \
                the default is `reload`.
                """
        ) { $0.cachePolicy = try $1.choice(cachePolicyWords, cachePolicies) },
        Flag(
            ["--no-cache"],
            excludes: .init("--cache-policy", because: "--no-cache is a policy of its own"),
            help: "use no cached response, neither this cache's nor a proxy's",
            details: """
                `Cache-Control: no-cache` and `Pragma: no-cache` are sent, as by wget. The \
                response is stored for later runs all the same.
                """
        ) { $0.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData },
        Flag(
            ["--cache-size"],
            value: "SIZE",
            help: "limit the cache to SIZE bytes (512M); 0 disables it",
            details: """
                The least recently used responses are removed first. A response larger than a \
                twentieth of SIZE is not stored.
                """
        ) { $0.session.cacheSize = try $1.byteSize(zero: "0 is no cache") ?? 0 },
        Flag(
            ["--clear-cache"],
            help: "empty the cache first; without a URL, do nothing else"
        ) { $0.clearsCache = true },
    ]

    private static let cachePolicyWords = [
        "protocol", "reload", "revalidate", "prefer-cache", "only-cache",
    ]

    /// The policies, in the order of `cachePolicyWords`.
    private static let cachePolicies: [URLRequest.CachePolicy] = [
        .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData,
        .returnCacheDataElseLoad, .returnCacheDataDontLoad,
    ]

    /// The word for a policy; the policy of `--no-cache` is `reload` too.
    static func word(for policy: URLRequest.CachePolicy) -> String {
        zip(cachePolicies, cachePolicyWords).first { $0.0 == policy }?.1 ?? "reload"
    }
}

extension Conflicts {
    /// Throws if a download or upload may use only the cache.
    static func checkCache(_ options: Options, _ task: TaskPlan) throws(UsageError) {
        guard options.cachePolicy == .returnCacheDataDontLoad else { return }
        let flag = "--cache-policy only-cache"
        if task.body.isSent {
            let reason = "the cache has no responses to uploads"
            throw .conflict(flag, "a body to send", reason: reason)
        }
        guard task.kind.isHead || task.kind.destination.mayBeStandardOutput else {
            throw .conflict(flag, "a download", reason: "downloads are not cached; use -O -")
        }
    }
}
