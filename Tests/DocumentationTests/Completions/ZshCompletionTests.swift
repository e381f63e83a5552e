import Testing

/// zsh's own rules: `_arguments` handles clusters, exclusions and quotes.
@Suite struct ZshCompletionTests {
    @Test func wordsAreCompletedInEveryForm() async throws {
        let cases = [
            ("fetch -d '@my", "@my file.txt"), ("fetch -d@my", "-d@my file.txt"),
            ("fetch -O it", "it's $HOME.txt"), ("fetch -qOmo", "-qOmovie.mkv"),
            ("fetch -vqO mo", "movie.mkv"), ("fetch -nv -O mo", "movie.mkv"),
            ("fetch -sS -O mo", "movie.mkv"), ("fetch -XPU", "-XPUT"), ("fetch -nv", "-nv"),
            ("fetch -4O mo", "movie.mkv"), ("fetch -F photo=@dir", "photo=@dir one"),
            ("fetch --redirect=s", "--redirect=same-origin"), ("fetch http:", "http://"),
            ("fetch -x socks5h", "socks5h://"), ("fetch --limit-r", "--limit-rate"),
            ("fetch -d @dir\\ one/in", "@dir one/inner.txt"),
        ]
        let words = try await CompletingShell.zsh.completes(cases.map(\.0))
        for (word, each) in zip(words, cases) { #expect(word == each.1, "\(each.0)") }
    }

    @Test func flagsAreShownWithTheirHelp() async throws {
        let screen = try await CompletingShell.zsh.shows("fetch --http")
        #expect(screen.contains(/--http1\.1\s+-- use HTTP\/1\.1 only/), "\(screen)")
        #expect(screen.contains(/--http2\s+-- use HTTP\/2 if the server supports it/), "\(screen)")
    }

    @Test func specialCharactersAreShownUnchanged() async throws {
        let screen = try await CompletingShell.zsh.shows("fetch --head")
        #expect(screen.contains(/-- set 'Name: value', remove 'Name:'/), "\(screen)")
    }
}
