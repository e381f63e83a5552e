import Testing

@testable import URLLoading

@Suite
struct UserFoldersTests {
    private func folders(_ environment: [String: String]) -> UserFolders {
        UserFolders(program: "fetch") { environment[$0] }
    }

    @Test("each folder has its own variable")
    func variables() {
        let folders = folders([
            "HOME": "/home/ann", "XDG_CACHE_HOME": "/a", "XDG_STATE_HOME": "/b",
            "XDG_DATA_HOME": "/c", "XDG_CONFIG_HOME": "/d/",
        ])
        #expect(folders.cache == "/a/fetch")
        #expect(folders.state == "/b/fetch")
        #expect(folders.data == "/c/fetch")
        #expect(folders.configuration == "/d/fetch")
    }

    @Test("a folder whose variable is unset, empty or relative is at home")
    func home() {
        let folders = folders(["HOME": "/home/ann", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "x"])
        #expect(folders.cache == "/home/ann/.cache/fetch")
        #expect(folders.state == "/home/ann/.local/state/fetch")
        #expect(folders.data == "/home/ann/.local/share/fetch")
        #expect(folders.configuration == "/home/ann/.config/fetch")
    }

    @Test("a user without a home has no folders", arguments: [nil, "", "home"])
    func homeless(home: String?) {
        let folders = UserFolders { $0 == "HOME" ? home : nil }
        #expect(folders.cache == nil)
        #expect(folders.state == nil)
        #expect(folders.data == nil)
        #expect(folders.configuration == nil)
    }
}
