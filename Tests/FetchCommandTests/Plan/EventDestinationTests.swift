import Glibc
import Testing

@testable import FetchCommand

@Suite struct EventDestinationTests {
    @Test(
        arguments: [
            ([], nil), (["--events", "json"], .standardError),
            (["--events-file", "f"], .file(path: "f")),
            (["--events", "json", "--events-file", "f"], .file(path: "f")),
            (["--events-file", "./-"], .file(path: "./-")),
            (["--events-file", "/dev/fd/x"], .file(path: "/dev/fd/x")),
            (["--events-file", "/dev/null"], .file(path: "/dev/null")),
            (["--events-fd", "1"], .descriptor(1)), (["--events-fd", "2"], .standardError),
            (["--events-file", "/dev/stdout"], .descriptor(1)),
            (["--events-file", "/dev/stderr"], .standardError),
            (["--events-file", "/dev/fd/1"], .descriptor(1)),
            (["--events-file", "/proc/self/fd/2"], .standardError),
        ] as [([String], EventDestination?)]
    )
    func places(_ arguments: [String], _ expected: EventDestination?) throws {
        #expect(try plan(arguments + ["h/x"]).messages.events == expected)
    }

    @Test func onStandardErrorThereIsNoProgress() throws {
        for flags in [["--events", "json"], ["--events-fd", "2", "--progress", "bar"]] {
            #expect(try plan(flags + ["h/x"]).messages.progress == ProgressChoice.none)
        }
        #expect(try plan("--events-file", "f", "h/x").messages.progress == nil)
    }

    @Test func aDescriptorHasToBeOpenForWriting() throws {
        let reading = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let writing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            close(reading)
            close(writing)
        }
        #expect(
            try plan("--events-fd", "\(writing)", "h/x").messages.events == .descriptor(writing)
        )
        for number in ["\(reading)", "1000000"] {
            guard
                case .invalidValue("--events-fd", number, _, _) = usageError(
                    ["--events-fd", number, "h/x"]
                )
            else {
                Issue.record("\(number)")
                continue
            }
        }
    }

    /// The two flags of the conflict in a command line.
    private func conflict(_ arguments: [String]) -> [String] {
        guard case .conflict(let one, let other, _) = usageError(arguments) else { return [] }
        return [one, other]
    }

    @Test(arguments: ["x", "./x", "sub/../x", "link", "x.part", "x.part.resume", "x.part.resume~"])
    func aDownloadsNameIsRefused(name: String) throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("sub")
        for isThere in [false, true] {
            // A dangling link is a name of its own until another process creates the file.
            if isThere { _ = try folder.file("x") } else if name == "link" { continue }
            if isThere { try folder.link("link", to: "x") }
            let output = "\(folder.path)/sub/../x"
            let both = conflict(["--events-file", "\(folder.path)/\(name)", "-O", output, "h/y"])
            #expect(both == ["--events-file", "--output"])
        }
    }

    @Test func aReplacedFilesNameIsRefused() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("x")
        try folder.link("link", to: "x")
        try folder.hardLink("second", to: "x")
        for name in ["link", "second"] {
            let both = conflict(["--events-file", "\(folder.path)/\(name)", "-O", file, "h/y"])
            #expect(both == ["--events-file", "--output"], "\(name)")
            let swapped = conflict(["--events-file", file, "-O", "\(folder.path)/\(name)", "h/y"])
            #expect(swapped == ["--events-file", "--output"], "\(name)")
        }
    }

    @Test func aNameFromAURLIsCheckedToo() throws {
        let folder = try ScratchFolder()
        let flags = ["-P", folder.path, "h/x"]
        let part = "\(folder.path)/x.part"
        #expect(conflict(["--events-file", part] + flags).first == "--events-file")
        #expect(conflict(["--events-file", "\(folder.path)/x", "-c"] + flags).count == 2)
        // The download takes another name.
        _ = try folder.file("x")
        #expect(try plan(["--events-file", part] + flags).messages.events == .file(path: part))
    }

    @Test(arguments: [
        ("--upload-file", ""), ("--post-file", ""), ("-d", "@"), ("--data-binary", "@"),
        ("--json", "@"), ("-F", "a=@"), ("-F", "a=<"), ("--ca-certificate", ""),
        ("--crl-file", ""), ("--certificate", ""), ("--pinned-pubkey", ""),
    ])
    func anInputFileIsRefused(flag: String, before: String) throws {
        let folder = try ScratchFolder()
        let file = try folder.file("x", "precious")
        try folder.link("link", to: "x")
        let both = conflict(
            ["--events-file", "\(folder.path)/link", flag, before + file, "-O", "/dev/null", "h/y"]
        )
        #expect(both.first == "--events-file")
        let appended = open(file, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(appended) }
        let other = conflict(
            ["--events-fd", "\(appended)", flag, before + file, "-O", "/dev/null", "h/y"]
        )
        #expect(other.first == "--events-fd \(appended)")
        #expect(other.last == both.last)
    }

    @Test func aPrivateKeyIsRefused() throws {
        let folder = try ScratchFolder()
        let (key, certificate) = (try folder.file("key"), try folder.file("certificate"))
        let flags = ["--certificate", certificate, "--private-key", key, "h/y"]
        #expect(conflict(["--events-file", key] + flags) == ["--events-file", "--private-key"])
    }

    @Test func aFileThatKeepsNothingIsShared() throws {
        for flags in [["-O", "/dev/null"], ["--upload-file", "/dev/null", "-O", "x"]] {
            #expect(
                try plan(["--events-file", "/dev/null"] + flags + ["h/y"]).messages.events
                    == .file(path: "/dev/null")
            )
        }
    }

    @Test func aFIFOForTheBodyTakesNoEvents() throws {
        let folder = try ScratchFolder()
        let fifo = try folder.fifo("fifo")
        #expect(
            conflict(["--events-file", fifo, "-O", fifo, "h/y"])
                == ["--events-file", "--output \(fifo)"]
        )
    }

    @Test func aFolderIsRefused() throws {
        let folder = try ScratchFolder()
        let failure = fileFailure(["--events-file", folder.path, "h/x"])
        #expect(failure == .file(path: folder.path, "is a directory"))
    }
}
