import TestSupport
import Testing

/// A table of planted files, by flags, kind of folder, and the user that runs the download.
@Suite(
    "Planted files in the way of a download, and their owners",
    .secondUser,
    .timeLimit(.minutes(5))
)
struct PlantedTests {
    /// The users and folders: for root, a group is the same case as all users.
    static let places: [(TestAccount, SharedFolder)] =
        [(.root, .own), (.root, .sticky), (.root, .world)]
        + SharedFolder.allCases.map { (.user, $0) }

    private func check(_ cases: [PlantedCase]) async {
        let failures = await PlantedCase.failures(cases)
        for failure in failures { Issue.record("\(failure)") }
        #expect(!cases.isEmpty)
    }

    @Test(
        "T-07 fetch neither writes to, follows nor adopts another user's file at the name",
        arguments: places
    )
    func existing(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.existing(user, kind))
    }

    @Test(
        "T-07 a file that another user creates meanwhile determines neither owner nor mode",
        arguments: places.filter { $0.1.isShared }
    )
    func coming(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.coming(user, kind))
    }

    @Test(
        "T-08 fetch neither empties nor writes to a part that is not a download's own",
        arguments: [TestAccount.root, .user],
        [SharedFolder.own, .sticky]
    )
    func parts(user: TestAccount, kind: SharedFolder) async {
        await check(PlantedCase.parts(user, kind))
    }
}
