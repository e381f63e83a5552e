import FoundationEssentials
import URLLoading

// What the body has to come to.
extension TaskRun {
    /// Says what that is.
    ///
    /// What goes to no file of its own is looked at as it is written.
    func note(expected: ExpectedDigest) throws(URLError) {
        let proof = plan.kind.file == nil ? try BodyProof(expected) : nil
        change { state in
            state.expected = expected
            state.proof = proof
        }
    }

    /// Says that a file that was continued was not what it was to be, and begins again: once is
    /// enough.
    func noteCleanStart() {
        change { state in
            state.hasStartedClean = true
            // What has come of it counts for nothing.
            state.bytes = 0
        }
    }
}

extension TaskRun.State {
    /// Whether the body is one that is compared: an error's is not.
    var isCompared: Bool { (status ?? 200) < 400 && errorBody == nil }
}
