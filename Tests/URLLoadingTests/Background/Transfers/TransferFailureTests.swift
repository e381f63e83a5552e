import TestSupport
import Testing

@testable import URLLoading

@Suite("Transfer processes that cannot begin")
struct TransferFailureTests {
    @Test("only the program that started the process gets the error")
    func failure() throws {
        let session = try BackgroundSession()
        let identifier = try BackgroundIdentifier(BackgroundSession.identifier)
        func connectClient(hasStarted: Bool) throws(BackgroundError) -> Bool {
            let found = try BackgroundClient.search(
                identifier,
                in: session.root,
                makes: true,
                hasStarted: hasStarted
            )
            guard case .free(_, let lock) = consume found else { return false }
            if !hasStarted { lock.describe(failure: .full(path: "/journal")) }
            return true
        }
        #expect(try connectClient(hasStarted: false))
        do throws(BackgroundError) {
            _ = try connectClient(hasStarted: true)
            Issue.record("it has said why")
        } catch {
            #expect("\(error)".contains("/journal: no space is left"))
        }
        #expect(try connectClient(hasStarted: false))
    }
}
