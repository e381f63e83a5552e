// Shows the three replies of a delegate to a redirect: the proposed request, another request, or none,
// so that the redirect itself is the result.
// Run: swift run Redirects follow|replace|stop METHOD URL

import FoundationEssentials
import Glibc
import URLLoading

final class Guide: URLSessionTaskDelegate {
    let choice: String

    init(choice: String) {
        self.choice = choice
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let method = request.httpMethod ?? "GET"
        print("\(response.statusCode) to \(method) \(request.url?.path ?? "")")
        switch choice {
        case "follow":
            completionHandler(request)
        case "replace":
            var request = request
            request.setValue("from \(response.statusCode)", forHTTPHeaderField: "X-Test")
            completionHandler(request)
        default:
            completionHandler(nil)
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[3]) else {
    print("usage: Redirects follow|replace|stop METHOD URL")
    exit(2)
}
var request = URLRequest(url: url)
request.httpMethod = arguments[2]
let session = URLSession(configuration: .ephemeral)
do {
    let guide = Guide(choice: arguments[1])
    let (data, response) = try await session.data(for: request, delegate: guide)
    print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    print("from \(response.url?.path ?? "")")
    print(String(decoding: data, as: UTF8.self), terminator: "")
} catch let error as URLError where error.code == .httpTooManyRedirects {
    print("too many redirects")
}
session.finishTasksAndInvalidate()
