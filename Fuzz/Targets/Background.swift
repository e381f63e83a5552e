import FoundationEssentials

@testable import URLLoading

// What the transfer process of a background session reads: its journal, and what programs say.
extension FuzzTarget {
    private static let now: Int64 = 1_800_000_000_000_000

    static let background = [
        // As it stands, or as lines whose numbers and checksums are right.
        FuzzTarget("journal") { input in
            let (choice, rest) = input.choice
            let bytes = choice == UInt8(ascii: "!") ? rest.bytes : sealed(rest)
            let replay = bytes.withUnsafeBytes { bytes in
                try? JournalReplay(bytes, .current, path: "journal")
            }
            guard let replay else { return }
            check(replay.length <= bytes.count, "what counts is in the file")
            let state = BackgroundState(replay.records)
            let again = BackgroundState(state.history)
            check(again == state, "the shortest history leads to the same state")
            var ledger = BackgroundStateMachine(state)
            _ = ledger.begin(at: now)
            _ = ledger.take([.attach(visitor), .tick, .resumeAll], at: now + 1)
            if let status = BackgroundStatus(ledger, process: 1) { checkReads(status) }
        },
        // Frames as they come in pieces: a request each.
        FuzzTarget("background-requests") { input in
            var ledger = BackgroundStateMachine(BackgroundState())
            _ = ledger.take([.attach(visitor)], at: now)
            for content in contents(of: input) {
                if let hello = try? JSONDecoder().decode(BackgroundHandshake.self, from: content) {
                    checkReads(hello)
                    _ = hello.obstacle(identifier: "a")
                }
                let request = try? JSONDecoder().decode(BackgroundRequest.self, from: content)
                guard let request else { continue }
                checkReads(request)
                let step = ledger.take(inputs(of: request, ledger), at: now + 1)
                check(
                    step.records.allSatisfy { BackgroundState([$0]) == BackgroundState([$0]) },
                    "records hold"
                )
            }
            let again = BackgroundState(ledger.state.history)
            check(again == ledger.state, "the shortest history leads to the same state")
        },
        // Frames as they come in pieces: a reply each.
        FuzzTarget("background-replies") { input in
            for content in contents(of: input) {
                if let reply = try? JSONDecoder().decode(BackgroundReply.self, from: content) {
                    checkReads(reply)
                }
            }
        },
    ]

    private static let visitor = AttachRequest(
        connection: 1,
        process: 1,
        seen: nil,
        taken: [],
        isWatching: false
    )

    private static func checkReads<Message: Codable & Hashable>(_ message: Message) {
        guard let encoded = try? JSONEncoder().encode(message) else { return }
        let again = try? JSONDecoder().decode(Message.self, from: encoded)
        check(again == message, "a message reads as it was written")
    }

    /// The contents of frames; a line is one where the input begins with a brace.
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

    private static func inputs(
        of request: BackgroundRequest,
        _ ledger: BackgroundStateMachine
    ) -> [BackgroundInput] {
        switch request {
        case .make(let tasks), .submit(let tasks, _): [.make(tasks, from: 1)]
        case .resume(let tasks): tasks.map { .resume(task: $0) }
        case .suspend(let tasks): tasks.map { .suspend(task: $0) }
        case .cancel(let tasks, let keepsParts):
            tasks.map { keepsParts == true ? .cancelKeepingPart(task: $0) : .cancel(task: $0) }
        case .pause(let isPaused): [.pause(isPaused)]
        case .resumeAll: [.pause(false), .resumeAll]
        case .discard: [.discard]
        case .settings(let settings): [.settings(settings)]
        case .acknowledge(let sequence): [.acknowledge(sequence: sequence, from: 1)]
        case .answer(let task, _, _, _, _, _): [.answered(task: task)]
        case .status: []
        }
    }

    /// Records, a line each, as a journal has them.
    private static func sealed(_ input: FuzzInput) -> [UInt8] {
        var journal = Array(JournalFormat.current.head)
        for (index, record) in input.bytes.split(separator: 0x0A).enumerated() {
            let number = index + 1
            let rest = Array(#""batch":\#(number),"last":true,"number":\#(number),"record":"#.utf8)
            let whole = rest + record + [UInt8(ascii: "}")]
            // The checksum is of what follows the comma behind it.
            let check = whole.withUnsafeBytes { StableHash.hex(StableHash.of($0)) }
            journal += Array(#"{"check":"\#(check)","#.utf8) + whole + [JournalLine.end]
        }
        return journal
    }
}
