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

    @Test func aFolderIsNoPlace() throws {
        let folder = try ScratchFolder()
        let failure = try fileFailure(["--events-file", folder.path, "h/x"])
        #expect(failure == FileFailure(path: folder.path, reason: .isDirectory))
    }
}
