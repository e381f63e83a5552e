package import FetchCommand

/// A file of the repository that is generated from the flags' declarations.
package struct GeneratedFile: Sendable {
    /// The path in the repository.
    package let path: String
    package let text: String

    /// All generated files.
    ///
    /// - Parameters:
    ///   - flags: the flags to document.
    ///   - examples: the command lines for the man page.
    ///   - guide: the text of `docs/guide.md`.
    ///   - date: the man page's date, as in 2025-12-31.
    /// - Returns: the files, in the order of their subjects.
    package static func all(
        _ flags: [Flag] = Flags.all,
        examples: [Example],
        guide: String = "",
        date: String
    ) -> [GeneratedFile] {
        [
            GeneratedFile(
                path: "man/fetch.1",
                text: ManPage(flags: flags, examples: examples, date: date).text
            ),
            GeneratedFile(
                path: "man/fetch-guide.7",
                text: GuidePage(markdown: guide, date: date).text
            ),
            GeneratedFile(path: "docs/from-curl.md", text: ForeignPage.curl.text),
            GeneratedFile(path: "docs/from-wget.md", text: ForeignPage.wget.text),
            GeneratedFile(path: "completions/fetch.bash", text: BashCompletion(flags: flags).text),
            GeneratedFile(path: "completions/_fetch", text: ZshCompletion(flags: flags).text),
            GeneratedFile(path: "completions/fetch.fish", text: FishCompletion(flags: flags).text),
        ]
    }

    /// The notice at the start of each file, as a comment in the file's language.
    static let notice = "Made by 'make docs' from the declarations of the flags: change those."
}
