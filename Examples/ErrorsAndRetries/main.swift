// Shows which failures allow another attempt, and after which wait: a longer one each time, or the one
// that the server requests in Retry-After. The task itself waits while there is no network.
// Run: swift run ErrorsAndRetries URL [TRIES]

import FoundationEssentials
import Glibc
import URLLoading

final class Listener: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        print("no network: waiting for one")
        // A reader of the pipe must see the line while the program waits.
        fflush(nil)
    }
}

/// The result of an attempt.
enum Outcome {
    case done(status: Int, bytes: Int)
    /// Another attempt may succeed; `after`: the wait that the server requests, seconds.
    case again(why: String, after: Double?)
}

/// Makes one attempt, and throws an error that another attempt would repeat.
func load(_ url: URL, in session: URLSession) async throws -> Outcome {
    do {
        let (data, response) = try await session.data(from: url)
        guard let response = response as? HTTPURLResponse else {
            return .done(status: 0, bytes: data.count)
        }
        // An error status is not an error of the task.
        guard [429, 502, 503, 504].contains(response.statusCode) else {
            return .done(status: response.statusCode, bytes: data.count)
        }
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
        return .again(why: "status \(response.statusCode)", after: seconds)
    } catch let error as URLError {
        switch error.code {
        case .timedOut, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed:
            return .again(why: "error \(error.code.rawValue)", after: nil)
        default:
            throw error
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let url = URL(string: arguments[1]) else {
    print("usage: ErrorsAndRetries URL [TRIES]")
    exit(2)
}
let tries = arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3
let configuration = URLSessionConfiguration.ephemeral
configuration.timeoutIntervalForRequest = 1
configuration.waitsForConnectivity = true
let session = URLSession(configuration: configuration, delegate: Listener(), delegateQueue: nil)
var wait = 0.1
tries: for number in 1...max(1, tries) {
    do {
        switch try await load(url, in: session) {
        case .done(let status, let bytes):
            print("try \(number): status \(status), \(bytes) bytes")
            break tries
        case .again(let why, let after):
            print("try \(number): \(why)")
            guard number < tries else { break tries }
            try await Task.sleep(for: .seconds(after ?? wait))
            wait *= 2
        }
    } catch let error as URLError {
        print("try \(number): error \(error.code.rawValue), \(error.localizedDescription)")
        break
    }
}
session.finishTasksAndInvalidate()
