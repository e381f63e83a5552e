// Shows cookies in a file that curl, wget and the next run can read. The program sets one cookie;
// servers set the others, if the policy accepts them.
// Run: swift run Cookies FILE always|never|main-document URL…

import FoundationEssentials
import Glibc
import URLLoading

let policies: [String: HTTPCookie.AcceptPolicy] = [
    "always": .always,
    "never": .never,
    "main-document": .onlyFromMainDocumentDomain,
]
let arguments = CommandLine.arguments
guard arguments.count > 3, let policy = policies[arguments[2]] else {
    print("usage: Cookies FILE always|never|main-document URL…")
    exit(2)
}
let urls = arguments.dropFirst(3).compactMap { URL(string: $0) }

let storage = HTTPCookieStorage(file: URL(filePath: arguments[1]))
if let own = HTTPCookie(properties: [
    .name: "language",
    .value: "en",
    .domain: urls.first?.host ?? "localhost",
    .path: "/",
    .expires: Date(timeIntervalSinceNow: 3_600),
]) {
    storage.setCookie(own)
}

let configuration = URLSessionConfiguration.default
configuration.httpCookieStorage = storage
configuration.httpCookieAcceptPolicy = policy
let session = URLSession(configuration: configuration)
for url in urls {
    var request = URLRequest(url: url)
    // All requests belong to the first URL's document.
    request.mainDocumentURL = urls.first
    let (data, response) = try await session.data(for: request)
    print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    print(String(decoding: data, as: UTF8.self), terminator: "")
}
for cookie in (storage.cookies ?? []).sorted(by: { $0.name < $1.name }) {
    print("\(cookie.domain): \(cookie.name)=\(cookie.value)")
}
// Write the changes to the file.
session.finishTasksAndInvalidate()
storage.flush()
