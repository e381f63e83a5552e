import FoundationEssentials

@testable import URLLoading

// The inputs of a background session's transfer process: its journal, and messages of clients.
extension FuzzTarget {
    private static let now: Int64 = 1_800_000_000_000_000

    static let background = [
        // The input is used unchanged, or as records that get valid numbers and checksums.
        FuzzTarget("journal") { input in
            let (choice, rest) = input.choice
            let bytes = choice == UInt8(ascii: "!") ? rest.bytes : sealed(rest)
            var state = BackgroundState()
            let replay = bytes.withUnsafeBytes { bytes in
                try? JournalReplay(bytes, .current, path: "journal") { state.apply($0) }
            }
            guard let replay else { return }
            check(replay.length <= bytes.count, "what counts is in the file")
            let again = BackgroundState(state.history)
            check(again == state, "the shortest history leads to the same state")
            var machine = BackgroundStateMachine(state)
            _ = machine.begin(at: now)
            _ = machine.take([.attach(client), .tick, .request(.resumeAll, from: 0)], at: now + 1)
            if let status = BackgroundStatus(machine, process: 1)?.with(machine) {
                checkReads(status)
            }
        },
        // Frames that arrive in pieces, each with a request.
        FuzzTarget("background-requests") { input in
            var machine = BackgroundStateMachine(BackgroundState())
            _ = machine.take([.attach(client)], at: now)
            for content in contents(of: input) {
                if let hello = try? JSONDecoder().decode(BackgroundHandshake.self, from: content) {
                    checkReads(hello)
                    _ = hello.blocker(identifier: "a")
                }
                let request = try? JSONDecoder().decode(BackgroundRequest.self, from: content)
                guard let request else { continue }
                checkReads(request)
                let step = machine.take([.request(request, from: 1)], at: now + 1)
                check(
                    step.records.allSatisfy { BackgroundState([$0]) == BackgroundState([$0]) },
                    "records hold"
                )
            }
            let again = BackgroundState(machine.state.history)
            check(again == machine.state, "the shortest history leads to the same state")
        },
        // Frames that arrive in pieces, each with a reply.
        FuzzTarget("background-replies") { input in
            for content in contents(of: input) {
                if let reply = try? JSONDecoder().decode(BackgroundReply.self, from: content) {
                    checkReads(reply)
                }
            }
        },
    ]

    private static let client = AttachRequest(
        connection: 1,
        process: 1,
        cursor: nil,
        taken: [],
        isWatching: false
    )

    private static func checkReads<Message: Codable & Hashable>(_ message: Message) {
        guard let encoded = try? JSONBytes.encode(message) else { return }
        let again = try? JSONDecoder().decode(Message.self, from: Data(encoded))
        check(again == message, "a message reads as it was written")
    }

    /// The contents of frames; if the input begins with a brace, each line is one content.
    private static func contents(of input: FuzzInput) -> [Data] {
        if input.bytes.first == UInt8(ascii: "{") {
            return input.bytes.split(separator: 0x0A).map { Data($0) }
        }
        var reader = FrameReader()
        var contents: [Data] = []
        for piece in input.pieces {
            reader.push(piece)
            while let content = try? reader.next() { contents.append(Data(content)) }
        }
        return contents
    }

    /// A valid journal whose records are the lines of the input.
    private static func sealed(_ input: FuzzInput) -> [UInt8] {
        var journal = Array(JournalFormat.current.head)
        for (index, record) in input.bytes.split(separator: 0x0A).enumerated() {
            let number = index + 1
            let rest = Array(#""batch":\#(number),"last":true,"number":\#(number),"record":"#.utf8)
            let whole = rest + record + [UInt8(ascii: "}")]
            // The checksum covers the text after the comma that follows it.
            let check = whole.withUnsafeBytes { StableHash.of($0).hexText }
            journal += Array(#"{"check":"\#(check)","#.utf8) + whole + [JournalLine.end]
        }
        return journal
    }
}
