extension Conflicts {
    /// A name is chosen once, and by the server only where there is a file to be named.
    static func checkNaming(_ options: Options) throws(UsageError) {
        guard options.contentDisposition else { return }
        let flag = "--content-disposition"
        if options.output != nil {
            throw .conflict(flag, "--output", reason: "each says how the file is called")
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
