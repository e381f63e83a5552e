import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Downloads that start over", .timeLimit(.minutes(1)))
struct StartingOverTests: ResumingSuite {
    let folder: TestSupport.TemporaryFolder
    let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    @Test("T-08 a download never joins a changed file to the old part", arguments: Change.allCases)
    private func changed(_ change: Change) async throws {
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        let other = PseudoRandom.bytes(change == .shorter ? 50_000 : 300_000, seed: 9)
        file.change {
            $0.bytes = other
            change.apply(&$0)
        }
        let calls = try await resumeDownload(data)
        #expect(calls.suffix(2) == [.finished, .completed(nil)], "\(change): \(calls)")
        #expect(isSameBytes(folder.read("whole"), other))
        let reasons = calls.compactMap { call in
            if case .startedOver(let reason) = call { reason } else { nil }
        }
        #expect(reasons.count == 1, "\(change): \(calls)")
        #expect(folder.names() == ["whole"])
    }

    /// Ways in which a file may have changed, and a server may hide the change.
    private enum Change: CaseIterable {
        case wholeResponse
        case ifRangeIgnored
        case shorter
        case noRangesAnyMore
        case otherStart
        case otherTotal
        case noContentRange

        func apply(_ file: inout ServedFile) {
            file.entityTag = "\"two\""
            switch self {
            case .wholeResponse: break
            case .ifRangeIgnored, .shorter: file.knowsIfRange = false
            case .noRangesAnyMore:
                file.entityTag = "\"one\""
                file.knowsRanges = false
            case .otherStart:
                file.entityTag = "\"one\""
                file.shift = -1
            case .otherTotal:
                file.entityTag = nil
                file.knowsIfRange = false
                file.bytes.append(0)
                file.bytes.removeLast()
                file.contentRange = "bytes 100000-300000/300001"
            case .noContentRange:
                file.entityTag = nil
                file.knowsIfRange = false
                file.contentRange = "nonsense"
            }
        }
    }

    @Test(
        "T-08 a part that was removed or replaced, or is a link, is neither continued nor changed"
    )
    func otherPart() async throws {
        let victim = try folder.write("precious", to: "victim")
        for harm in [
            { unlink($0) },
            { path in
                rename(path, path + ".kept")
                try? Data(count: 200_000).write(to: URL(filePath: path))
                unlink(path + ".kept")
            },
            { path in
                unlink(path)
                symlink(victim, path)
            },
        ] as [(String) -> Void] {
            let file = FileOnServer(bytes)
            let server = try server(file)
            let data = try await resumeData(server)
            file.change { _ in }
            let name = try #require(folder.names().first { $0.hasPrefix("URLLoading-") })
            harm(folder.path(name))
            let calls = try await resumeDownload(data)
            #expect(calls.first == .startedOver(.partialFileChanged))
            #expect(isSameBytes(folder.read("whole"), bytes))
            unlink(folder.path(name))
        }
        #expect(folder.readText("victim") == "precious")
    }

    @Test("T-08 garbage is a clear error, and another URL starts over")
    func garbage() async throws {
        let calls = try await resumeDownload(Data("garbage".utf8))
        #expect(calls == [.completed(.cannotDecodeRawData)])
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        file.change { _ in }
        let recorder = recorder()
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        let other = try request(server.url("/other"))
        let task = session.downloadTask(with: other, resumeData: data)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .startedOver(.differentURL))
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test("T-08 a delegate that names another file gets the whole there")
    func otherDestination() async throws {
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        file.change { _ in }
        let part = DownloadDestination.partFile(URL(filePath: folder.path("elsewhere.part")))
        let calls = try await resumeDownload(data, part)
        #expect(calls.first == .startedOver(.partialFileChanged))
        #expect(isSameBytes(folder.read("whole"), bytes))
    }
}
