import Testing

/// Checks the list of embedded parts.
@Suite struct EmbeddedPartTests {
    @Test func thePageListsThePartsThatTheScriptsPrint() throws {
        let libraries = try Repository.text(of: "Scripts/libcurl")
            .matches(of: #/(?m)^ +([a-z0-9 |]+)\) echo /#)
            .flatMap { $0.1.split(whereSeparator: { " |".contains($0) }) }
        let script = try Repository.text(of: "Scripts/embedded")
        let looped = script.matches(of: /for name in ([^;]+); do/)
            .flatMap { $0.1.split(separator: " ") }
        let single = script.matches(of: #/echo "(swift-[a-z]+) /#).map(\.1)
        #expect(libraries.count == 7 && looped.count == 6 && single.count == 3)
        let rows = try Page("docs/self-contained.md").rows(under: "What is embedded")
        let listed = rows.flatMap { Page(name: "cell", text: $0[0]).spans }
        #expect(listed.sorted() == (libraries + looped + single).map(String.init).sorted())
    }
}
