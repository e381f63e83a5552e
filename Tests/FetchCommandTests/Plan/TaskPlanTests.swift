import Testing
import URLLoading

@testable import FetchCommand

@Suite struct TaskPlanTests {
    private static func file(_ path: String) -> Destination {
        .file(FileDestination(folder: ".", name: path, ifExists: .replace, makesFolder: false))
    }

    @Test(arguments: [
        (["h/x", "-O", "-"], Destination.standardOutput, "GET"),
        (["h/x", "-O", "nowhere.tmp"], file("nowhere.tmp"), "GET"),
        (["h/x", "-O", "/dev/null"], .device(path: "/dev/null"), "GET"),
        (["h/x", "-O", "/dev/stdout"], .standardOutput, "GET"),
        (["h/x", "-O", "/dev/fd/3"], .device(path: "/dev/fd/3"), "GET"),
        (["h/x", "-X", "DELETE", "-O-"], .standardOutput, "DELETE"),
        (["h/x", "-d", "a"], .standardOutput, "POST"),
        (["h/x", "-d", "a", "-O", "nowhere.tmp"], file("nowhere.tmp"), "POST"),
        (["h/x", "--json", "{}"], .standardOutput, "POST"),
        (["h/x", "-F", "a=b"], .standardOutput, "POST"),
        (["h/x", "--upload-file", "-"], .standardOutput, "PUT"),
        (["h/x", "--post-file", "-"], .standardOutput, "POST"),
        (["h/x", "--upload-file", "-", "-X", "PATCH"], .standardOutput, "PATCH"),
        (["h/x", "-I"], .standardOutput, "HEAD"),
        (["h/x", "-X", "HEAD"], .standardOutput, "HEAD"),
        (["h/x", "-I", "-O", "nowhere.tmp"], file("nowhere.tmp"), "HEAD"),
    ])
    func kinds(_ arguments: [String], _ destination: Destination, _ method: String) throws {
        let task = try plan(arguments).tasks[0]
        #expect(task.kind.destination == destination)
        #expect(task.kind.isHead == (method == "HEAD"))
        #expect(task.body.isSent == ["POST", "PUT", "PATCH"].contains(method))
        #expect(task.request.httpMethod == method)
    }

    @Test(arguments: [
        (["h/a%20b"], "a b", false), (["h/x", "-P", "d"], "d/x", true),
        (["h/x", "-P", "d/"], "d/x", true), (["h", "-P", "/"], "/index.html", true),
        (["h/.x"], "_.x", false),
    ])
    func derivedNames(_ arguments: [String], _ path: String, _ makesFolder: Bool) throws {
        guard let file = try plan(arguments).tasks[0].kind.file else {
            Issue.record("no download")
            return
        }
        #expect(file.path == path)
        #expect(file.ifExists == .number)
        #expect(file.makesFolder == makesFolder)
    }

    @Test(arguments: [("a/b/c", "a/b", "c"), ("/c", "/", "c"), ("c", ".", "c")])
    func namedFiles(_ path: String, _ folder: String, _ name: String) throws {
        // -P does not apply to -O, as in wget.
        guard let file = try plan("h", "-P", "d", "-O", path).tasks[0].kind.file else {
            Issue.record("no download")
            return
        }
        #expect(file.folder == folder)
        #expect(file.name == name)
        #expect(file.path == path)
        #expect(file.ifExists == .replace)
    }

    @Test func severalURLsAreSeveralTasks() throws {
        let tasks = try plan("a/x", "-O-", "b/y").tasks
        #expect(tasks.map(\.address.host) == ["a", "b"])
        #expect(try plan("a", "b", "-O", "/dev/null").tasks.count == 2)
    }

    @Test(arguments: [
        ("h/", "https://h/my%20file"), ("h", "https://h/my%20file"), ("h/x", "https://h/x"),
        ("h/d/?q", "https://h/d/my%20file?q"),
    ])
    func uploadsAppendTheirName(_ url: String, _ text: String) throws {
        let folder = try ScratchFolder()
        let file = try folder.file("my file", "x")
        #expect(try plan("--upload-file", file, url).tasks[0].address.text == text)
        for flag in ["--post-file", "--body-file"] {
            let address = try plan(flag, file, url).tasks[0].address
            #expect(address.text == (try WebAddress(url).text))
        }
    }

    @Test func theCredentialLeavesTheURL() throws {
        let task = try plan("http://me:pw@h/x").tasks[0]
        #expect(task.identity.credential == UserPassword(user: "me", password: "pw"))
        #expect(task.address.text == "http://h/x")
    }
}
