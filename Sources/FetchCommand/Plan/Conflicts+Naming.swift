extension Conflicts {
    /// A name is chosen once, and by the server only where there is a file to be named.
    static func checkNaming(_ options: Options) throws(UsageError) {
        if options.noClobber, options.timestamping {
            throw .conflict(
                "--no-clobber",
                "--timestamping",
                reason: "the one keeps a file that the other may replace"
            )
        }
        guard options.contentDisposition else { return }
        let flag = "--content-disposition"
        if options.output != nil {
            throw .conflict(flag, "--output", reason: "each says how the file is called")
        }
        if options.continues || options.timestamping {
            throw .conflict(
                flag,
                options.continues ? "--continue" : "--timestamping",
                reason: "the name is known only from the answer, and -O NAME says it before"
            )
        }
        if options.head || options.method == .head {
            throw .conflict(flag, "--head", reason: "there is no body to save")
        }
        if !options.decidesByAnswer, let body = bodyFlags(options).first {
            throw .conflict(
                flag,
                body,
                reason: "the answer to a body goes to standard output, or to -O FILE"
            )
        }
    }
}
