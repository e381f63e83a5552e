import Testing

@testable import FetchCommand

/// `--content-disposition` and `--no-clobber`.
@Suite struct NamingPlanTests {
    @Test(arguments: [
        (["-nc", "-N"], "--no-clobber", "--timestamping"),
        (["--content-disposition", "-N"], "--content-disposition", "--timestamping"),
        (["--content-disposition", "-c"], "--content-disposition", "--continue"),
        (["--content-disposition", "-O", "x"], "--content-disposition", "--output"),
        (["--content-disposition", "-O", "-"], "--content-disposition", "--output"),
        (["--content-disposition", "-I"], "--content-disposition", "--head"),
        (["--content-disposition", "-X", "HEAD"], "--content-disposition", "--head"),
        (["--content-disposition", "-d", "x"], "--content-disposition", "--data"),
    ])
    func conflicts(_ arguments: [String], _ one: String, _ other: String) {
        guard case .conflict(one, other, _) = usageError(arguments + ["h/"]) else {
            Issue.record("\(String(describing: usageError(arguments + ["h/"])))")
            return
        }
    }

    @Test(arguments: [
        ["--content-disposition", "-nc"], ["--content-disposition", "--auto", "-d", "x"],
        ["--content-disposition", "-P", ".", "other"], ["-nc", "-c"], ["-nc", "-O", "x"],
        ["-nc", "-O", "-"], ["-nc", "-d", "x"], ["-nc", "--auto"],
        ["--content-disposition", "-r", "0-1"],
    ])
    func noConflict(_ arguments: [String]) {
        #expect(usageError(arguments + ["h/"]) == nil)
    }

    private func file(_ arguments: String...) throws -> FileDestination? {
        try plan(arguments).tasks.first?.kind.possibleFile
    }

    @Test func existingFiles() throws {
        #expect(try file("h/x")?.ifExists == .number)
        #expect(try file("-nc", "h/x")?.ifExists == .keep)
        #expect(try file("-nc", "--auto", "h/x")?.ifExists == .keep)
        #expect(try file("-nc", "-O", "/nowhere/x", "h/x")?.ifExists == .keep)
        #expect(try file("-nc", "-c", "h/x")?.ifExists == .keep)
        #expect(try file("--content-disposition", "h/x")?.isNamedByServer == true)
        #expect(try file("--content-disposition", "--auto", "h/x")?.isNamedByServer == true)
        #expect(try file("h/x")?.isNamedByServer == false)
    }

    @Test func aDryRunShowsTheName() throws {
        let folder = try ScratchFolder()
        _ = try folder.file("x")
        func task(_ flags: String...) throws -> Substring? {
            DryRun.text(of: try plan(flags + ["-P", folder.path, "h/x"])).split(separator: "\n")
                .last
        }
        let path = folder.path
        #expect(
            try task("--content-disposition")
                == "task: download to \(path)/x, or the server's name (numbered if it exists)"
        )
        #expect(try task("-nc") == "task: download to \(path)/x (not fetched, because it exists)")
        #expect(
            try task("-nc", "-c") == "task: download to \(path)/x (not fetched, because it exists)"
        )
        #expect(
            try task("-nc", "--content-disposition")
                == "task: download to \(path)/x, or the server's name (not fetched if it exists)"
        )
    }
}
