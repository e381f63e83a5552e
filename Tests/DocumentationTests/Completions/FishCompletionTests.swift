import Testing

@testable import FetchCommand

/// fish's own rules: descriptions, and candidates for the whole word.
@Suite struct FishCompletionTests {
    @Test func flagsAreOfferedWithTheirHelp() async throws {
        for name in ["--output", "--header", "--redirect"] {
            let flag = try #require(Flags.named(name))
            let offered = try await CompletingShell.fish.shows("fetch \(name)")
            #expect(offered.contains("\(name)\t\(flag.help)"), "\(offered)")
        }
    }

    @Test func wordsAreCompletedInEveryForm() async throws {
        let cases = [
            ("fetch -d@mo", "-d@movie.mkv"), ("fetch -Fphoto=@mo", "-Fphoto=@movie.mkv"),
            ("fetch -O it", "it's $HOME.txt"), ("fetch -qO mo", "movie.mkv"),
            ("fetch -nv", "-nv"), ("fetch -XPU", "-XPUT"),
            ("fetch --redirect=s", "--redirect=same-origin"),
            ("fetch -x socks5h", "socks5h://"), ("fetch --limit-r", "--limit-rate"),
            ("fetch -d @dir\\ one/in", "@dir one/inner.txt"),
        ]
        let words = try await CompletingShell.fish.completes(cases.map(\.0))
        for (word, each) in zip(words, cases) { #expect(word == each.1, "\(each.0)") }
    }
}
