import Testing

@testable import FetchCommand

@Suite struct URLGlobTests {
    @Test(arguments: [
        ("h/{a,b}", ["h/a", "h/b"]), ("h/[1-3]", ["h/1", "h/2", "h/3"]),
        ("h/[01-10:4]", ["h/01", "h/05", "h/09"]), ("h/[a-e:2]", ["h/a", "h/c", "h/e"]),
        ("h/[08-11]", ["h/08", "h/09", "h/10", "h/11"]), ("h/[0-2]", ["h/0", "h/1", "h/2"]),
        ("h/{a,b}/[1-2]", ["h/a/1", "h/a/2", "h/b/1", "h/b/2"]), ("h/{,x}", ["h/", "h/x"]),
        ("h/{a}", ["h/a"]), ("h/x", ["h/x"]), ("h/[9-9]", ["h/9"]), ("h/[3-1]", ["h/[3-1]"]),
        ("http://[::1]:8080/{a,b}", ["http://[::1]:8080/a", "http://[::1]:8080/b"]),
        ("h/?f[name]=1", ["h/?f[name]=1"]), ("h/[a-Z]", ["h/[a-Z]"]), ("h/{a", ["h/{a"]),
        ("h/\\{a,b\\}\\[1-2\\]", ["h/{a,b}[1-2]"]), ("h/[]", ["h/[]"]), ("h/{}", ["h/{}"]),
        ("h/[1-9:0]", ["h/[1-9:0]"]),
    ])
    func produces(_ url: String, urls: [String]) throws {
        #expect(try URLGlob(url).expansions.map(\.url) == urls)
    }

    @Test(arguments: [
        "h/[1-100001]", "h/[1-1000][1-1000]", "h/[0-9223372036854775807]",
        #"h/?q={"a":1,"b":2}"#,
    ])
    func isRefused(_ url: String) {
        guard case .invalidURL(_, _, let hint) = usageError([url]) else {
            Issue.record("\(url) is taken")
            return
        }
        #expect(hint?.contains("-g") == true)
    }

    @Test(arguments: ["[3-1]", "[1-9:0]", "[a-Z]", "{a", "{}", "[-5-5]", "{x", "[1-2:x]"])
    func curlRefusesBrackets(_ rest: String) throws {
        guard case .invalidURL? = usageError(["-s", "-o", "o#1", "h/" + rest]) else {
            Issue.record("\(rest) is taken")
            return
        }
        #expect(usageError(["-s", "-g", "h/" + rest]) == nil)
        let literal = ["http://[::1]/[]", "h/?a[0]=1&b[x-y-z]=2", "h/]}", "h/\\{[a-bc]"]
        for url in literal {
            #expect(try options("-s", url).urls == [url.replacing("\\", with: "")])
        }
    }

    @Test func offByAFlag() throws {
        #expect(try options("-g", "h/{a,b}", "h/[1-2]").urls == ["h/{a,b}", "h/[1-2]"])
        #expect(try options("h/{a,b}", "--globoff").urls == ["h/{a,b}"])
    }

    @Test func namesAreMadeOfTheWords() throws {
        let options = try options("-o", "#2-#1#3.txt", "h/{a,b}/[1-2]")
        #expect(
            options.outputs
                == ["1-a#3.txt", "2-a#3.txt", "1-b#3.txt", "2-b#3.txt"].map { .path($0) }
        )
    }

    @Test(
        arguments: [
            (["-o", "a", "h/1", "-o", "b", "h/2"], [.path("a"), .path("b")]),
            (["-O", "a", "-O", "b", "h/1", "h/2"], [.path("a"), .path("b")]),
            (["-O", "http://h/1", "-O", "http://h/2"], [nil, nil]),
            (["-O", "-L", "h/1", "-o", "b", "h/2"], [nil, .path("b")]),
            (["-o", "a", "-o", "b", "h/1"], [.path("a")]),
            (["-O", "-", "h/1", "h/2"], [.standardOutput]),
            (["-o", "x#1", "h/{a,b}", "-O", "-s", "h/2"], [.path("xa"), .path("xb"), nil]),
        ] as [([String], [OutputName?])]
    )
    func eachURLHasItsName(_ arguments: [String], _ names: [OutputName?]) throws {
        #expect(try FlagParser.parse(arguments).outputs == names)
    }

    @Test(arguments: [
        ["-o", "a", "-o", "b", "h/1", "h/2", "h/3"], ["-o", "a", "h/1", "h/2"],
        ["-O", "-s", "h/1", "h/2"], ["-o", "a", "-o", "a", "h/1", "h/2"], ["-o", "a", "h/{1,2}"],
        ["-O", "a", "h/1", "-o", "b", "h/2"],
    ])
    func namesThatDoNotFitAreRefused(_ arguments: [String]) {
        #expect(usageError(arguments) != nil)
    }
}
