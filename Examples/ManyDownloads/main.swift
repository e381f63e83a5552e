// Shows many downloads at once in one session, as child tasks of a group, over at most two
// connections to a host. If one fails, the group cancels the others.
// Run: swift run ManyDownloads FOLDER URL…

import FoundationEssentials
import Glibc
import URLLoading

struct Saved: Sendable {
    let name: String
    let size: Int
}

/// Downloads a URL into a folder, under the name that the response suggests.
func save(_ url: URL, in folder: URL, _ session: URLSession) async throws -> Saved {
    let (file, response) = try await session.download(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        try FileManager.default.removeItem(at: file)
        throw URLError(.badServerResponse)
    }
    let name = response.suggestedFilename ?? "unnamed"
    let target = folder.appending(path: name)
    try FileManager.default.moveItem(at: file, to: target)
    return Saved(name: name, size: try Data(contentsOf: target, options: .mappedIfSafe).count)
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
    print("usage: ManyDownloads FOLDER URL…")
    exit(2)
}
let folder = URL(filePath: arguments[1])
let urls = arguments.dropFirst(2).compactMap { URL(string: $0) }
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = 2
let session = URLSession(configuration: configuration)
do {
    let saved = try await withThrowingTaskGroup(of: Saved.self) { group in
        for url in urls {
            group.addTask { try await save(url, in: folder, session) }
        }
        var saved: [Saved] = []
        for try await file in group {
            saved.append(file)
        }
        return saved
    }
    for file in saved.sorted(by: { $0.name < $1.name }) {
        print("\(file.name): \(file.size) bytes")
    }
} catch let error as URLError {
    print("error \(error.code.rawValue)")
}
session.finishTasksAndInvalidate()
