import Testing

@testable import FetchCommand

@Suite("Words for a shell")
struct ShellWordTests {
    @Test(
        "text is quoted if the shell would interpret it",
        arguments: [
            ("fetch-1", "fetch-1"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
            ("$(x)", "'$(x)'"), ("a\nb'c", #"$'a\x0ab\'c'"#),
        ]
    )
    func quoted(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }
}
