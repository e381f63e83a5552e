import FetchCommand

/// The page of `man fetch`: the flags and exit statuses from their declarations, and around them what
/// no single declaration can say.
struct ManPage {
    let flags: [Flag]
    let examples: [Example]
    /// The day of the last change, as in 2025-12-31.
    let date: String

    /// The words of the page's own sentences that stand for something.
    static let prose = Prose(variables: ["DATA", "DIR", "FILE", "NAME", "TYPE", "URL"])

    /// The whole page.
    var text: String {
        var page = Roff()
        page.comment(GeneratedFile.notice)
        page.macro("TH", "FETCH", "1", date, "fetch \(Version.number)", "User Commands")
        // Spread to both margins, narrow lines have more gaps than words.
        page.macro("ad", "l")
        page.section("Name")
        page.append(["fetch \\- load what URLs name"])
        page.section("Synopsis")
        page.append([
            #"\fBfetch\fR [\fIoption\fR ...] \fIURL\fR ..."#, ".br",
            #"\fBfetch\fR \fB\-\-help\fR | \fB\-\-version\fR"#,
        ])
        addDescription(to: &page)
        addOptions(to: &page)
        addExitStatus(to: &page)
        addEnvironment(to: &page)
        addFiles(to: &page)
        addExamples(to: &page)
        page.section("See also")
        page.append([#"\fBcurl\fR(1), \fBwget\fR(1), \fBopenssl\-rehash\fR(1ssl)"#])
        return page.text
    }
}
