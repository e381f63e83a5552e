import Foundation
import TestSupport
import Testing

/// The name under which a body is saved.
@Suite("File names", .timeLimit(.minutes(1)))
struct NamingTests {
    @Test(
        "a file gets the URL's last component, decoded and made safe",
        arguments: [
            ("", "index.html"), ("/", "index.html"), ("/folder/", "index.html"),
            ("/a/b.txt", "b.txt"), ("/b.txt?x=/y", "b.txt"), ("/b.txt#part", "b.txt"),
            ("/a%20b+c", "a b+c"), ("/caf%C3%A9", "caf\u{e9}"), ("/%FF", "%FF"),
            ("/.bashrc", "_.bashrc"), ("/-rf", "_-rf"), ("/..%2F..%2Fevil", "_.._.._evil"),
            ("/x%1B%5B31m", "x_[31m"), ("/%2E%2E", "index.html"), ("/a%00b", "a_b"),
            ("/" + String(repeating: "n", count: 300), String(repeating: "n", count: 239)),
        ]
    )
    func derived(path: String, name: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let outer = try TemporaryFolder("outer")
        let folder = try TemporaryFolder("names")
        let url = "http://127.0.0.1:\(server.port)\(path)"
        let result = try await FetchProcess.run(url, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == [name])
        #expect(outer.names() == [])
        try server.verify()
    }

    @Test("fetch keeps a file with the same name, and numbers the new file")
    func numbering() async throws {
        let folder = try TemporaryFolder("numbered")
        try folder.write("mine", to: "hello.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("hello.txt.1"),
            withDestinationPath: "nowhere"
        )
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-j1", url, url, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["hello.txt", "hello.txt.1", "hello.txt.2", "hello.txt.3"])
        #expect(folder.readText("hello.txt") == "mine")
        #expect(!folder.exists("nowhere"))
        #expect(folder.readText("hello.txt.2") == "Hello, world!\n")
        #expect(folder.readText("hello.txt.3") == "Hello, world!\n")
    }

    @Test("a folder that another program has removed meanwhile is made again")
    func removedFolder() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil { try connection.respond(body: "body") }
        }
        let folder = try TemporaryFolder("names")
        let result = try await FetchProcess.shell(
            #"""
            {
                echo "$1"
                until [ -e made/a ]; do sleep 0.01; done
                rm -r made
                echo "$2"
            } | "$FETCH" -q -j 1 -P made -i -
            """#,
            server.url("/a"),
            server.url("/b"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("made/b") == "body")
    }

    @Test("a name that the file system refuses is an error before the request")
    func tooLong() async throws {
        let server = try SocketServer { _ in }
        let name = String(repeating: "n", count: 256)
        let result = try await FetchProcess.run("-O", name, server.url())
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("File name too long"))
        #expect(!result.stderr.contains("-c"))
        #expect(server.requestCount == 0)
    }

    @Test("a working folder whose path is not UTF-8 is not confused with another one")
    func workingFolder() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: try connection.readBody(head))
        }
        let folder = try TemporaryFolder("bytes")
        let result = try await FetchProcess.shell(
            #"""
            own=$(printf 'dir\351') other=$(printf 'dir\357\277\275')
            mkdir "$own" "$other" && cd "$own" && echo right >in && echo wrong >"../$other/in"
            export HOME=$PWD
            "$FETCH" -q --upload-file in "$1" && "$FETCH" -q -F f=@in "$1" | grep right &&
                "$FETCH" -q --session s -O out --upload-file in "$1" && cat out && ls
            echo old >"../$other/log" && echo mine >target && ln -s target link && echo old >"../$other/target"
            "$FETCH" -q -d new -O link -w '%{filename_effective} ' "$1" && "$FETCH" -q -d new -w 'line %output{log}line' "$1" >sent
            cat target log sent; cat "../$other/target" "../$other/log"; [ -h link ] && echo link
            """#,
            server.url(),
            in: folder
        )
        #expect(
            result.stdoutText
                == "right\nright\nright\nin\nout\ntarget newlinenewline old\nold\nlink\n",
            "\(result)"
        )
    }

    @Test("a tilde in a name has no special meaning", arguments: [["-O", "~/file"], ["-P", "~"]])
    func tilde(_ arguments: [String]) async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        let folder = try TemporaryFolder("tilde")
        try folder.makeFolder("~")
        let process = try FetchProcess(arguments + [server.url("/file")], in: folder).start()
        #expect(await eventually { folder.exists("~/file.part") })
        gate.open()
        #expect(try await process.wait().status == 0)
        #expect(folder.read("~/file") == Array("ab".utf8))
        #expect(!folder.exists("~/file.part"))
    }

    @Test("a file created during the download is not overwritten")
    func takenMeanwhile() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        let folder = try TemporaryFolder("taken")
        let process = try FetchProcess([server.url("/file")], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        try folder.write("another program's", to: "file")
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("file") == "another program's")
        #expect(folder.readText("file.1") == "ab")
        #expect(result.stderr.contains("file.1: "))
        try server.verify()
    }

    @Test(
        "each URL of an equal name has its own file, also when files are continued or replaced",
        arguments: ["-c", "-N", "--remote-name-all"]
    )
    func equalNames(flag: String) async throws {
        let server = try SocketServer { connection in
            let target = try connection.readHead().target
            try connection.respond("200 OK", ["ETag: \"1\""], body: target)
        }
        let targets = ["/1/file", "/2/file", "/file.2", "/3/file"]
        let folder = try TemporaryFolder("equal")
        try folder.write("another program's", to: "file.1")
        let result = try await FetchProcess(
            ["-q", flag] + targets.map { server.url($0) },
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        let texts = Set(folder.names().map { folder.readText($0) ?? "" })
        #expect(texts == Set(targets + ["another program's"]))
        #expect(folder.readText("file") == "/1/file")
        #expect(folder.readText("file.1") == "another program's")
    }

    @Test("-N finds the files of an earlier run with the same URLs, also where names are equal")
    func comparedEqualNames() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head["If-None-Match"] == nil {
                try connection.respond("200 OK", ["ETag: \"1\""], body: head.target)
            } else {
                try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")
            }
        }
        let urls = ["/1/file", "/2/file", "/1/file"].map { server.url($0) }
        let folder = try TemporaryFolder("equal")
        for _ in 1...2 {
            let result = try await FetchProcess(["-q", "-N"] + urls, in: folder).run()
            #expect(result.status == 0, "\(result)")
            #expect(folder.names() == ["file", "file.1"])
            #expect(["file", "file.1"].map { folder.readText($0) } == ["/1/file", "/2/file"])
        }
        #expect(server.heads.count { $0["If-None-Match"] == nil } == 2)
    }

    @Test(
        "bodies of one name stay apart, whether a flag, a list or a URL names them",
        arguments: [
            (["-O", "a", "/1", "-O", "b", "/2"], ["/3 a"], ["a": "/1", "b": "/2", "a.1": "/3"]),
            (
                ["-N"], ["/1 a", "/2 a", "/3 b", "/2 b", "/4 b"],
                ["a": "/1", "a.1": "/2", "b": "/3", "b.1": "/2", "b.2": "/4"]
            ),
            (
                ["-b", "--identifier", "session", "--remote-name-all", "/slow/a", "/a"], [],
                ["a": "/slow/a", "a.1": "/a"]
            ),
            (
                ["-b", "--identifier", "session"], ["/slow/x a", "/a", "/1 a"],
                ["a": "/slow/x", "a.1": "/a", "a.2": "/1"]
            ),
        ]
    )
    func apart(_ arguments: [String], _ list: [String], _ files: [String: String]) async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target.hasPrefix("/slow/") { try gate.wait() }
            try connection.respond(body: head.target)
        }
        let session = try BackgroundFixture(session: "session")
        var line = arguments.map { $0.hasPrefix("/") ? server.url($0) : $0 }
        if !list.isEmpty {
            let lines = list.map { server.url($0).replacing(" ", with: "\t") + "\n" }
            try session.folder.write(lines.joined(), to: "list")
            line += ["-i", "list"]
        }
        let process = try session.command(line).start()
        #expect(await eventually { server.requestCount == files.count || !process.isRunning })
        if arguments.contains("-b") {
            // The second body is at its place before the first one comes.
            #expect(await eventually { session.folder.exists("a.1") })
        }
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(await session.transfersEnd())
        if list.isEmpty == false {
            try FileManager.default.removeItem(atPath: session.folder.path("list"))
        }
        #expect(session.folder.names() == files.keys.sorted())
        for (name, body) in files { #expect(session.folder.readText(name) == body, "\(name)") }
    }

    @Test("-P makes its folder, and does not apply to -O")
    func prefix() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let inside = try await FetchProcess.run("-P", "a/b", url)
        #expect(inside.status == 0, "\(inside)")
        #expect(inside.folder.readText("a/b/hello.txt") == "Hello, world!\n")
        let beside = try await FetchProcess.run("-P", "a", "-O", "x", url)
        #expect(beside.folder.names() == ["x"])
    }

    @Test("-O and -o replace the file they name", arguments: ["-O", "-o", "--output"])
    func replaces(flag: String) async throws {
        let folder = try TemporaryFolder("replaced")
        try folder.write("the old one, which is longer", to: "out")
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run(flag, "out", url, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["out"])
        #expect(folder.readText("out") == "Hello, world!\n")
    }

    @Test("a name comes from the given URL, and not from a redirect's")
    func redirected() async throws {
        let result = try await FetchProcess.run(Nginx.shared.url("/redirect/302"))
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.names() == ["302"])
    }

    @Test("a folder of a URL may begin with a combining character")
    func combiningFolder() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let result = try await FetchProcess.run(
            "--force-directories",
            "--no-host-directories",
            server.url("/%CC%81x/f")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("\u{301}x/f") == "body")
    }
}
