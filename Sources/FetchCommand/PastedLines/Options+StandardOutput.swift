extension Options {
    /// The options with standard output for the body where the line is curl's, names no other place,
    /// and standard output is no terminal: `curl -fsSL URL | sh`.
    ///
    /// At a terminal the body becomes a file.
    func choosingOutput(isTerminal: Bool) -> Options {
        let places: Set = [
            "--directory-prefix", "--output-dir", "--continue", "--timestamping", "--no-clobber",
            "--content-disposition", "--force-directories", "--split", "--input-file", "--auto",
            "--background", "--head", "--create-dirs", "--remote-name-all",
        ]
        guard isCurls, !isTerminal, outputs.isEmpty, !urls.isEmpty, given.isDisjoint(with: places)
        else { return self }
        var options = self
        options.outputs = [.standardOutput]
        return options
    }
}
