import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// The errors of sessions that cannot be used, and of tasks that cannot be made.
@Suite("Errors of background sessions", .timeLimit(.minutes(1)))
struct BackgroundRefusalTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    private var request: URLRequest {
        get throws { URLRequest(url: try #require(URL(string: "http://h.test/"))) }
    }

    /// Makes a session that cannot be used, and returns the error of its delegate and its task.
    private func failure(_ dependencies: BackgroundDependencies? = nil) async throws -> URLError {
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate, dependencies: dependencies)
        let task = session.downloadTask(with: try request)
        #expect(task.state == .completed)
        #expect(await eventually { delegate.isInvalid })
        let error = try #require(task.error as? URLError)
        #expect(delegate.has(.invalid(error.code)))
        #expect(delegate.failures.allSatisfy { $0.contains(error.detail) })
        return error
    }

    @Test("B-03 a second session at the same time is an error that names the first one's process")
    func inUse() async throws {
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let error = try await failure()
        #expect(error.code == .backgroundSessionInUseByAnotherProcess)
        #expect(error.detail.contains("\(getpid())"))
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.has(.invalid(nil)))
    }

    enum Breach: CaseIterable {
        case data, dataUpload, stream, handler, protocols, scheme, body, resumeData, noDelegate
        case noFile
    }

    @Test("B-04 an unsupported task fails as soon as it is made", arguments: Breach.allCases)
    func limits(_ breach: Breach) async throws {
        let delegate = BackgroundDelegate()
        let file = try fixture.session.home.write("to send", to: "to-send")
        let session = fixture.open(breach == .noDelegate ? nil : delegate) { configuration in
            if breach == .protocols { configuration.protocolClasses = [URLProtocol.self] }
        }
        let reportedError = Mutex<(any Error)?>(nil)
        var request = try request
        if breach == .scheme { request.url = URL(string: "ftp://h.test/") }
        if breach == .body { request.httpBody = Data([1]) }
        let task: URLSessionTask =
            switch breach {
            case .data: session.dataTask(with: request)
            case .dataUpload: session.uploadTask(with: request, from: Data([1]))
            case .stream: session.uploadTask(withStreamedRequest: request)
            case .handler:
                session.uploadTask(with: request, fromFile: URL(filePath: file)) { _, _, error in
                    reportedError.withLock { $0 = error }
                }
            case .resumeData: session.downloadTask(withResumeData: Data([1]))
            case .noFile:
                session.uploadTask(with: request, fromFile: URL(filePath: "/nowhere/file"))
            case .protocols, .scheme, .body, .noDelegate: session.downloadTask(with: request)
            }
        let expected: URLError.Code =
            switch breach {
            case .scheme: .unsupportedURL
            case .resumeData: .cannotDecodeRawData
            case .noFile: .fileDoesNotExist
            default: .resourceUnavailable
            }
        #expect(task.state == .completed)
        let words =
            switch breach {
            case .data: "download and upload"
            case .dataUpload, .stream, .body: "files only"
            case .handler: "handlers"
            case .protocols: "URLProtocol"
            case .scheme: "HTTPS only"
            case .noDelegate: "delegate"
            case .resumeData, .noFile: ""
            }
        let error = try #require(task.error as? URLError)
        #expect(error.code == expected)
        #expect(words.isEmpty || error.detail.contains(words))
        task.resume()
        if breach == .handler {
            #expect(await eventually { reportedError.withLock { $0 } != nil })
        } else if breach != .noDelegate {
            #expect(await eventually { delegate.has(.completed(1, expected)) })
        }
        let good = session.downloadTask(with: try self.request)
        #expect((good.state == .suspended) == ![.protocols, .noDelegate].contains(breach))
        session.invalidateAndCancel()
    }

    @Test("a damaged journal's error names the line, and a later version's names the version")
    func journal() async throws {
        let folder = try fixture.session.open()
        let settings = sessionSettings()
        do {
            var journaled = try found(try JournaledState.open(folder, settings: settings))
            for number in 1...2 {
                _ = try journaled.take([.make([taskRecord(number)], from: 1)], in: folder, at: 1)
            }
        }
        let name = fixture.session.name + "/journal"
        let text = fixture.session.home.readText(name) ?? ""
        let lines = text.split(separator: "\n")
        let torn = (lines[..<2] + ["{\"check\":\"0\"}"] + lines[3...]).joined(separator: "\n")
        try fixture.session.home.write(torn + "\n", to: name)
        chmod(fixture.session.home.path(name), 0o600)
        let error = try await failure()
        #expect(error.code == .cannotOpenFile)
        #expect(error.detail.contains("line 3"))
        let later = text.split(separator: "\"version\":2").joined(separator: "\"version\":7")
        try fixture.session.home.write(later, to: name)
        let newer = try await failure()
        #expect(newer.detail.contains("7"))
        #expect(fixture.session.home.readText(name) == later)
    }

    @Test("a session fails without a usable folder for its state")
    func places() async throws {
        var dependencies = fixture.dependencies
        dependencies.root = { nil }
        let noRoot = try await failure(dependencies)
        #expect(noRoot.code == .backgroundSessionRequiresSharedContainer)
        let file = try fixture.session.home.write("a file", to: "file")
        dependencies.root = { file }
        let misplaced = try await failure(dependencies)
        #expect(misplaced.code == .cannotWriteToFile || misplaced.code == .cannotOpenFile)
        dependencies.root = { "/proc/self/nowhere" }
        let readOnly = try await failure(dependencies)
        #expect(readOnly.code == .cannotWriteToFile)
    }

    @Test("a session fails if its transfer process cannot start, or ends at once")
    func processes() async throws {
        fixture.startBehaviour.withLock { $0 = .isMissing }
        let missing = try await failure()
        #expect(missing.code == .backgroundSessionWasDisconnected)
        #expect(missing.detail.contains("No such file"))
        fixture.startBehaviour.withLock { $0 = .exits }
        let dead = try await failure()
        #expect(dead.code == .backgroundSessionWasDisconnected)
        #expect(dead.detail.contains("ended twice"))
    }

    @Test("a malformed reply from the lock's holder is an error")
    func nonsense() async throws {
        fixture.startBehaviour.withLock { $0 = .sends(Array("hm".utf8)) }
        let error = try await failure()
        #expect(error.code == .backgroundSessionWasDisconnected)
        #expect(error.detail.contains("malformed"))
    }

    @Test("a lock's holder that does not respond is an error")
    func silence() async throws {
        let folder = try fixture.session.open()
        let lock = try found(try BackgroundLock.take(in: folder.folder))
        // It exists before the session, so only the missing reply takes time.
        let lockOnlyProcess = try LockOnlyProcess([], lock, at: folder.path + "/s")
        var dependencies = fixture.dependencies
        dependencies.timeout = .milliseconds(300)
        let error = try await failure(dependencies)
        #expect(error.code == .backgroundSessionWasDisconnected)
        #expect(error.detail.contains("does not respond"))
        withExtendedLifetime(lockOnlyProcess) {}
    }

    @Test("an invalid identifier is an error")
    func identifier() async throws {
        let delegate = BackgroundDelegate()
        let configuration = URLSessionConfiguration.background(withIdentifier: "")
        let session = URLSession(configuration: configuration, delegate: delegate)
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.has(.invalid(.resourceUnavailable)))
        _ = session
    }
}
