import CurlMulti
import FoundationEssentials

extension ServerTrust {
    /// What the engine has seen, in the library's words.
    init(_ peer: PeerTrust) {
        self.init(
            host: peer.host,
            chain: peer.chain.map { Data($0) },
            reasons: peer.problems.map { problem in
                Reason(
                    code: URLError.code(ofVerdict: problem.number),
                    number: problem.number,
                    words: problem.words,
                    depth: problem.depth
                )
            }
        )
    }
}

extension TrustDecision {
    init(_ answer: TrustAnswer) {
        self =
            switch answer {
            case .byVerdict: .byVerdict
            case .accept: .accept
            case .refuse: .refuse
            }
    }
}
