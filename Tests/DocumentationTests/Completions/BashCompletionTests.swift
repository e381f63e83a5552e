import TestSupport
import Testing

/// bash's own rules: readline breaks words at `=`, `:` and `@`, and leaves quotes to the function.
@Suite struct BashCompletionTests {
    @Test func quotesAndBrokenWordsAreCompleted() async throws {
        let cases = [
            ("fetch -d '@my", "@my file.txt"), ("fetch -d \"@mo", "@movie.mkv"),
            ("fetch -d @my\\ f", "@my file.txt"), ("fetch -F 'photo=@my", "photo=@my file.txt"),
            ("fetch -F photo=@dir", "photo=@dir one/"),
            ("fetch --form='a=@mo", "--form=a=@movie.mkv"),
            ("fetch -O it", "it's $HOME.txt"), ("fetch -d @it", "@it's $HOME.txt"),
            ("fetch -d '@it", "@it's $HOME.txt"), ("fetch -d \"@it", "@it's $HOME.txt"),
            ("fetch -Oit", "-Oit's $HOME.txt"), ("fetch -O \"it", "it's $HOME.txt"),
            ("fetch -O 'my", "my file.txt"), ("fetch --redirect=\"s", "--redirect=same-origin"),
            ("fetch -Odir", "-Odir one/"), ("fetch -qOmo", "-qOmovie.mkv"), ("fetch -XPU", "-XPUT"),
            ("fetch http:", "http://"), ("fetch --proxy=socks5h:", "--proxy=socks5h://"),
            ("fetch -x 'socks5h", "socks5h://"), ("fetch --cace", "--cacert"),
            ("fetch -d @dir\\ one/in", "@dir one/inner.txt"),
        ]
        let words = try await CompletingShell.bash.completes(cases.map(\.0))
        for (word, each) in zip(words, cases) { #expect(word == each.1, "\(each.0)") }
    }

    @Test(arguments: [
        "COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:@]/}", "shopt -s nocasematch", "shopt -s failglob",
        "shopt -s nullglob extglob dotglob", "set -o nounset", "IFS=-=e",
        "set -o errexit -o pipefail",
        "set -f", "set -o posix", "unset COMP_WORDBREAKS",
    ])
    func theUsersSettingsHaveNoEffect(_ setting: String) async throws {
        let cases = [
            ("fetch --redirect=sa", "--redirect=same-origin"), ("fetch --limit-r", "--limit-rate"),
            ("fetch -vqO mo", "movie.mkv"), ("fetch --data=@mo", "--data=@movie.mkv"),
            ("fetch --output=mo", "--output=movie.mkv"), ("fetch https:", "https://"),
        ]
        let shell = CompletingShell.bash
        let words = try await shell.completes(cases.map(\.0), setUp: setting + "\n")
        for (word, each) in zip(words, cases) { #expect(word == each.1, "\(each.0)") }
    }

    @Test func theRestOfTheLineIsUnchanged() async throws {
        // Control-B moves the cursor back by one, into the line.
        let back = String(repeating: "\u{2}", count: 6)
        let words = try await CompletingShell.bash.offers(["fetch --redi --out\(back)"])
        #expect(words[0] == ["--redirect"])
    }

    @Test func theFunctionCanBeCalledByOthers() async throws {
        // The wrappers of bash-completion call the function like this, for sudo and others.
        let script = """
            compopt() { echo "compopt $*"; }
            . "$1"
            COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
            COMP_LINE='fetch --redirect=sa' COMP_POINT=19 COMP_CWORD=3
            COMP_WORDS=(fetch --redirect = sa)
            __fetch
            printf '<%s>' "${COMPREPLY[@]}"
            COMP_LINE='fetch -O ' COMP_POINT=9 COMP_CWORD=2 COMP_WORDS=(fetch -O '')
            __fetch
            printf '<%s>' "${#COMPREPLY[@]}"
            COMP_LINE='fetch' COMP_POINT=5 COMP_CWORD=0 COMP_WORDS=(fetch)
            __fetch
            printf '<%s>' "${#COMPREPLY[@]}"
            """
        let result = try await FetchProcess.shell(
            "exec bash -euc \"$1\" bash \"$2\"",
            script,
            CompletingShell.bash.completions
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.isEmpty)
        #expect(result.stdoutText == "<same-origin>compopt -o default\n<0><0>")
    }
}
