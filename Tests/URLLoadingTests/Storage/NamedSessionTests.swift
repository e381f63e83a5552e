import Testing

@testable import URLLoading

@Suite("Names of lasting sessions")
struct NamedSessionTests {
    private let folders = UserFolders { ["HOME": "/home/me"][$0] }

    @Test("a name is the name of a folder, unchanged", arguments: ["a", "Work-2_b.c", "0"])
    func names(_ name: String) {
        #expect(NamedSession(name, folders: folders)?.name == name)
    }

    @Test(
        "a name that could lead to another folder is invalid",
        arguments: [
            "", ".", "..", ".a", "-a", "_a", "a/b", "/a", "a b", "a\0", "\u{E9}", "a\n",
            String(repeating: "a", count: 65),
        ]
    )
    func others(_ name: String) {
        #expect(NamedSession(name, folders: folders) == nil)
    }

    @Test("a name without a folder to keep it in is invalid")
    func homeless() {
        #expect(NamedSession("a", folders: UserFolders { _ in nil }) == nil)
    }
}
