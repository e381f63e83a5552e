import TestSupport
import Testing

/// A table: what another user has planted, or the user has there, by how a download is asked for, in
/// which kind of folder, and which user runs it.
@Suite("Files in a download's way, and their owners", .secondUser, .timeLimit(.minutes(5)))
struct PlantedTests {
    /// The user and the folder: for root, a group is the same case as all users.
    static let places: [(TestAccount, SharedFolder)] =
        [(.root, .own), (.root, .sticky), (.root, .world)]
        + SharedFolder.allCases.map { (.user, $0) }

    private func check(_ cases: [PlantedCase]) async {
        let failures = await PlantedCase.failures(cases)
        for failure in failures { Issue.record("\(failure)") }
        #expect(!cases.isEmpty)
    }

    @Test(
        "T-07 nothing of another user's at the name is written to, followed or taken over",
        arguments: places
    )
    func existing(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.existing(user, kind))
    }

    @Test(
        "T-07 what another user puts at the name during a download gives neither owner nor mode",
        arguments: places.filter { $0.1.isShared }
    )
    func coming(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.coming(user, kind))
    }

    @Test(
        "T-08 a part is neither emptied nor written through where it is not a download's own",
        arguments: [TestAccount.root, .user],
        [SharedFolder.own, .sticky]
    )
    func parts(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.parts(user, kind))
    }
}
