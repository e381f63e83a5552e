extension TaskPlan {
    /// The file of this machine that is fetched, which nothing may be written to meanwhile.
    var localFile: InputFile? {
        address.filePath.map { InputFile(flag: address.text, path: $0) }
    }
}
