import Testing

@testable import URLLoading

@Suite("Names of sessions that last")
struct NamedSessionTests {
    private let folders = UserFolders { ["HOME": "/home/me"][$0] }

    @Test("a name is the name of a folder, unchanged", arguments: ["a", "Work-2_b.c", "0"])
    func names(_ name: String) {
        #expect(NamedSession(name, folders: folders)?.name == name)
    }

    @Test(
        "what could lead elsewhere is none",
        arguments: [
            "", ".", "..", ".a", "-a", "_a", "a/b", "/a", "a b", "a\0", "\u{E9}", "a\n",
            String(repeating: "a", count: 65),
        ]
    )
    func others(_ name: String) {
        #expect(NamedSession(name, folders: folders) == nil)
    }

    @Test("without a folder to keep it in there is none")
    func homeless() {
        #expect(NamedSession("a", folders: UserFolders { _ in nil }) == nil)
    }
}
