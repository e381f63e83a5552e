import Foundation
import TestSupport
import Testing

@testable import URLLoading

/// Blocks that the library reserves on the disk for a body of announced length.
@Suite("Blocks reserved for a download")
struct BlockReservationTests {
    private let folder: TestSupport.TemporaryFolder
    private let file: PartFile

    init() throws {
        folder = try TestSupport.TemporaryFolder("reservation")
        file = try PartFile(
            .partFile(URL(filePath: folder.path("part")), keepsResumeData: true),
            temporaryFolder: folder.path
        )
    }

    /// Bytes on the disk.
    private func allocated() -> Int64 {
        var status = stat()
        return lstat(folder.path("part"), &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    @Test(
        "the reservation exceeds the received bytes by no more than their number",
        arguments: [0, 3, 1 << 20, 5 << 20] as [Int64]
    )
    func inStep(received: Int64) throws {
        var reservation = BlockReservation(start: 0)
        let isWell = reservation.advance(in: file, to: received, of: 1 << 40)
        #expect(isWell)
        #expect(allocated() <= received)
        #expect(reservation.end <= 2 * received)
    }

    @Test(
        "the reservation survives a length that no disk has",
        arguments: [.max, .max - 1, 0] as [Int64]
    )
    func extremes(total: Int64) throws {
        var reservation = BlockReservation(start: 0)
        for received in [0, 1 << 20, 1 << 30] as [Int64] where received <= total {
            let isWell = reservation.advance(in: file, to: received, of: total)
            #expect(isWell)
        }
        #expect(reservation.end < 2 << 30)
    }

    @Test("the reservation makes few calls, of 64 MiB at the most, each when needed")
    func steps() throws {
        var reservation = BlockReservation(start: 0)
        let total: Int64 = 1 << 30
        var position: Int64 = 0
        var ends: Set<Int64> = []
        while position < 300 << 20 {
            let isWell = reservation.advance(in: file, to: position, of: total)
            #expect(isWell)
            #expect(reservation.end - position <= 65 << 20)
            ends.insert(reservation.end)
            position += 512 << 10
        }
        #expect(ends.count < 16, "\(ends.count) calls")
    }

    @Test("the reservation reserves nothing in memory")
    func memory() throws {
        let folder = "/dev/shm/fetch-reservation-\(getpid())"
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try PartFile(
            .partFile(URL(filePath: folder + "/part"), keepsResumeData: true),
            temporaryFolder: folder
        )
        var reservation = BlockReservation(start: 0)
        let isWell = reservation.advance(in: file, to: 10 << 20, of: 1 << 30)
        #expect(isWell)
        #expect(reservation.end == 0)
    }
}
