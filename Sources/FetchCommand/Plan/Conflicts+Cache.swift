import URLLoading

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
