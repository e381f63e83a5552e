import Foundation
import TestSupport
import Testing

@testable import URLLoading

/// The rules of `protected_symlinks` and its neighbours, as a table.
///
/// Only root can make files of another user.
@Suite("Trust in folders that others can write to", .needs(.root))
struct FolderTrustTests {
    private static let other: uid_t = 61_002
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder("trust")
        try folder.write("target", to: "target")
    }

    private func plant(_ kind: String, owner: uid_t) throws {
        let path = folder.path("planted")
        switch kind {
        case "link": try #require(symlink("target", path) == 0)
        case "pipe": try #require(mkfifo(path, 0o600) == 0)
        default: try folder.write("planted", to: "planted")
        }
        try #require(lchown(path, owner, owner) == 0)
    }

    @Test(
        "the check refuses another user's file wherever others can make files",
        arguments: ["link", "pipe", "file"],
        [(0o755, true), (0o775, false), (0o777, false), (0o1777, false), (0o1755, false)]
    )
    func others(kind: String, folderMode: (mode: Int, isTrusted: Bool)) throws {
        try #require(chmod(folder.path, mode_t(folderMode.mode)) == 0)
        try plant(kind, owner: Self.other)
        if folderMode.isTrusted {
            #expect(try FolderTrust.check(folder.path("planted")) != nil)
        } else {
            #expect(throws: ForeignFile.self) { try FolderTrust.check(folder.path("planted")) }
            #expect(throws: ForeignFile.self) { try FolderTrust.resolve(folder.path("planted")) }
        }
    }

    @Test(
        "the check accepts the user's own file and the folder's owner's",
        arguments: ["link", "pipe", "file"]
    )
    func trusted(kind: String) throws {
        try #require(chmod(folder.path, 0o1777) == 0)
        try plant(kind, owner: 0)
        #expect(try FolderTrust.check(folder.path("planted")) != nil)
        try #require(chown(folder.path, Self.other, Self.other) == 0)
        try #require(lchown(folder.path("planted"), Self.other, Self.other) == 0)
        #expect(try FolderTrust.check(folder.path("planted")) != nil)
    }

    @Test("the check enters another user's folder")
    func folders() throws {
        try #require(chmod(folder.path, 0o1777) == 0)
        try folder.write("x", to: "theirs/file")
        try #require(chown(folder.path("theirs"), Self.other, Self.other) == 0)
        #expect(try FolderTrust.resolve(folder.path("theirs/file")) == folder.path("theirs/file"))
    }

    @Test("a folder that only a URL names must be this user's or root's", arguments: [0, 1, 2])
    func named(byURL count: Int) throws {
        try #require(chmod(folder.path, 0o1777) == 0)
        try folder.write("x", to: "theirs/own/file")
        try #require(chown(folder.path("theirs"), Self.other, Self.other) == 0)
        let check = { () throws(ForeignFile) in
            try FolderTrust.check(folder: folder.path("theirs/own"), foldersOfURL: count)
        }
        if count < 2 { try check() } else { #expect(throws: ForeignFile.self) { try check() } }
    }

    @Test(
        "a folder is checked again where another user can replace it",
        arguments: [0o777, 0o1777]
    )
    func replaced(mode: Int) throws {
        try #require(chmod(folder.path, mode_t(mode)) == 0)
        try folder.write("x", to: "way/in/file")
        let checked = CheckedFolders()
        let path = folder.path("way/in")
        try checked.check(path, foldersOfURL: 0)
        let isLasting = checked.contains(path)
        // The folder of all temporary files is sticky, and the tests' own folder in it is root's.
        #expect(isLasting == (mode == 0o1777))
        try #require(rename(folder.path("way"), folder.path("old")) == 0)
        try folder.makeFolder("way")
        try #require(symlink(folder.path("old"), folder.path("way/in")) == 0)
        for name in ["way", "way/in"] {
            try #require(lchown(folder.path(name), Self.other, Self.other) == 0)
        }
        if isLasting {
            try checked.check(path, foldersOfURL: 0)
        } else {
            #expect(throws: ForeignFile.self) { try checked.check(path, foldersOfURL: 0) }
        }
    }

    @Test("the check takes a missing file for no other user's")
    func nothing() throws {
        #expect(try FolderTrust.check(folder.path("nothing")) == nil)
        #expect(try FolderTrust.resolve(folder.path("nothing")) == nil)
    }

    @Test("the check follows links as realpath(3) does")
    func resolves() throws {
        try folder.write("x", to: "a/b/file")
        for (name, target) in [
            ("up", "a/b/.."), ("round", "round"), ("to", "up/b/file"), ("dangling", "gone"),
            ("root", "/"), ("odd", ".//a/./b//file"),
        ] {
            try #require(symlink(target, folder.path(name)) == 0)
        }
        for name in ["up", "round", "to", "dangling", "root", "odd", "a/../up/b/file"] {
            let path = folder.path(name)
            let expected = realpath(path, nil).map { resolved in
                defer { free(resolved) }
                return String(cString: resolved)
            }
            #expect(try FolderTrust.resolve(path) == expected, "\(name)")
        }
    }

    @Test("the check examines a link on the way like the last one")
    func linkOnTheWay() throws {
        try #require(chmod(folder.path, 0o1777) == 0)
        try folder.write("x", to: "real/file")
        try #require(symlink("real", folder.path("way")) == 0)
        #expect(try FolderTrust.resolve(folder.path("way/file")) == folder.path("real/file"))
        try #require(lchown(folder.path("way"), Self.other, Self.other) == 0)
        #expect(throws: ForeignFile.self) { try FolderTrust.resolve(folder.path("way/file")) }
    }
}
