import URLLoading

extension Flags {
    /// What is kept of earlier responses.
    static let cache: [Flag] = [
        Flag(
            ["--cache-policy"],
            value: "POLICY",
            kind: .choice(cachePolicyWords),
            section: .session,
            help:
                "use the cache by POLICY: protocol, reload, revalidate, prefer-cache or only-cache",
            details: """
                What -O - prints is kept in `$XDG_CACHE_HOME/fetch/answers`, as far as its server \
                allows, and saves later runs the bytes; what is saved to a file is not. \
                `revalidate`, which is the default: only when the server says that it still holds. \
                `protocol`: while it is fresh by its server's words or by a guess, without a \
                question, and after that as with `revalidate`. `reload`: never. `prefer-cache`: \
                however old it is; what is not there is fetched. `only-cache`: the same, but without \
                a word to the network; the exit status is 11 where nothing is kept. What comes \
                without a question to the server is said, with its age. With --head, --dump-header, \
                --write-out, --har and -O /dev/null, which are about the request, the default is \
                `reload`.
                """
        ) { options, value throws(UsageError) in
            options.cachePolicy = try value.choice(cachePolicyWords, cachePolicies)
        },
        Flag(
            ["--no-cache"],
            excludes: [
                .init("--cache-policy", because: "--no-cache is a policy, and the strictest")
            ],
            section: .session,
            help: "request a response from no cache, neither here nor on the way",
            details: """
                `Cache-Control: no-cache` and `Pragma: no-cache` are sent, as by wget. The response is \
                kept for later runs all the same.
                """
        ) { options in
            options.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        },
        Flag(
            ["--cache-size"],
            value: "SIZE",
            kind: .byteSize,
            section: .session,
            help: "limit the cache to SIZE bytes (512M); 0 disables it",
            details: """
                What was not used for longest goes first. A response of more than a twentieth of SIZE \
                is not kept.
                """
        ) { options, value throws(UsageError) in
            options.session.cacheSize = try value.byteSize(zero: "0 is no cache") ?? 0
        },
        Flag(
            ["--clear-cache"],
            section: .session,
            help: "empty the cache first; without a URL, do nothing else"
        ) { options in
            options.clearsCache = true
        },
    ]

    private static let cachePolicyWords = [
        "protocol", "reload", "revalidate", "prefer-cache", "only-cache",
    ]

    /// What the words stand for, in their order.
    private static let cachePolicies: [URLRequest.CachePolicy] = [
        .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData,
        .returnCacheDataElseLoad, .returnCacheDataDontLoad,
    ]

    /// The word for a policy; `--no-cache` reloads too.
    static func word(for policy: URLRequest.CachePolicy) -> String {
        zip(cachePolicies, cachePolicyWords).first { $0.0 == policy }?.1 ?? "reload"
    }
}

extension Conflicts {
    /// What only the cache may answer cannot be a download, which is kept nowhere but in its file.
    static func checkCache(_ options: Options, _ tasks: [TaskPlan]) throws(UsageError) {
        guard options.cachePolicy == .returnCacheDataDontLoad else { return }
        for task in tasks {
            switch task.kind {
            case .data, .auto, .head: continue
            case .download:
                throw .conflict(
                    "--cache-policy only-cache",
                    "a download",
                    reason: "what is saved to a file is not cached; -O - prints what is"
                )
            case .upload:
                throw .conflict(
                    "--cache-policy only-cache",
                    "a body to send",
                    reason: "the cache can take none"
                )
            }
        }
    }
}
