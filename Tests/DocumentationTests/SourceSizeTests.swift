import Testing

@Suite struct SourceSizeTests {
    /// A longer file contains two subjects.
    private static let limit = 400

    @Test(arguments: try ["Sources", "Tests"].flatMap(Repository.swiftFiles))
    func fileHoldsOneSubject(_ file: String) throws {
        let lines = try Repository.text(of: file).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count <= Self.limit + 1)
    }
}
