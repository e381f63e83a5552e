import SystemPackage
import URLLoading

/// The tasks of a run in order: those of the command line, then those of a list.
@MainLoop
struct TaskSource {
    enum Next {
        case task(TaskPlan)
        /// An invalid line of the list: its exit status, message and hint.
        case invalid(ExitStatus, String, hint: String?)
        case end
        case interrupted(Interruption)
    }

    private var planned: [TaskPlan].Iterator
    private let list: URLList?
    private var planner: TaskPlanner

    init(_ plan: Plan, _ list: URLList?) {
        planned = plan.tasks.makeIterator()
        planner = plan.planner
        self.list = list
    }

    /// Takes the next task, waiting until the list has one.
    mutating func next(_ waiter: Waiter) async -> Next {
        while true {
            if let next = nextAtOnce() { return next }
            guard let list else { return .end }
            let descriptor = list.descriptor.rawValue
            switch await waiter.wait(until: nil, readable: descriptor) {
            case .bell, .late: break
            case .interruption(let why): return .interrupted(why)
            }
        }
    }

    /// Takes the next task; `nil` if the list's next URL has not been read yet.
    mutating func nextAtOnce() -> Next? {
        if let task = planned.next() { return .task(task) }
        guard let list else { return .end }
        switch list.next() {
        case .line(let line):
            switch line.content {
            case .url(let url): return task(url, line.number, of: list)
            case .invalid(let reason):
                return .invalid(.usage, Self.place(list, line.number) + reason, hint: nil)
            }
        case .end: return .end
        case .failed(let error): return .invalid(.fileIO, Printable.text("\(error)"), hint: nil)
        case .wait: return nil
        }
    }

    private mutating func task(_ url: String, _ line: Int, of list: URLList) -> Next {
        if planner.refuses(line: url) {
            return .invalid(
                .localPolicy,
                Self.place(list, line) + "file: URLs in a list are refused",
                hint: "--allow-file-urls allows them"
            )
        }
        do throws(UsageError) {
            return .task(try planner.plan(line: url))
        } catch {
            let words = Self.place(list, line) + error.message
            return .invalid(error.exitStatus, words, hint: error.hint)
        }
    }

    private static func place(_ list: URLList, _ line: Int) -> String {
        "\(Printable.text(list.name)):\(line): "
    }
}

/// A line of a list: `URL`, `URL<TAB>NAME` or `URL<TAB>NAME<TAB>CHECKSUM`, where NAME may be empty.
struct ListEntry {
    let url: String
    private var name: String?
    private(set) var checksum: ExpectedDigest?

    /// The URL at the beginning of a line.
    static func url(of line: String) -> String {
        line[...].split(atFirst: UInt8(ascii: "\t")).map { String(HTTPSyntax.trimmed($0.before)) }
            ?? line
    }

    init(_ line: String) throws(UsageError) {
        guard line.utf8.contains(UInt8(ascii: "\t")) else {
            url = line
            return
        }
        let fields = line.split(byte: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(HTTPSyntax.trimmed($0)) }
        guard fields.count <= 3 else {
            throw .invalidURL(
                Redaction.url(fields[0]),
                reason: "the line has more than a URL, a name and a checksum"
            )
        }
        url = fields[0]
        if fields.count > 1, !fields[1].isEmpty {
            name = try Self.name(fields[1])
        }
        if fields.count > 2, !fields[2].isEmpty {
            checksum = try ChecksumText.expected(FlagValue(flag: "--checksum", text: fields[2]))
        }
    }

    /// Validates a name, which must be below the folder, and not hidden: a list may be hostile.
    private static func name(_ text: String) throws(UsageError) -> String {
        let parts = text.split(byte: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard
            parts.allSatisfy({
                !$0.isEmpty && FileName.safe(String($0)).utf8.elementsEqual($0.utf8)
            })
        else {
            throw .invalidValue(
                flag: "a name in a list",
                value: text,
                reason: "is not a name inside the folder",
                hint: "write it as NAME or DIR/NAME, without . or - before either"
            )
        }
        return text
    }

    var isNamed: Bool { name != nil }

    /// The destination that the line names, numbered unless 0; throws if the name is of no file.
    func destination(
        _ options: Options,
        numbered number: Int = 0
    ) throws(UsageError) -> Destination? {
        guard let name else { return nil }
        let destination = try Destination.named(
            .path(number == 0 ? name : "\(name).\(number)"),
            continues: options.continues,
            isTimestamped: options.timestamping,
            ifExists: options.ifNamedExists,
            below: options.directory ?? options.outputFolder,
            makesFolders: true
        )
        // Other people may have written the list.
        guard case .file(var file) = destination else { return destination }
        file.foldersOfURL = name.utf8.count { $0 == UInt8(ascii: "/") }
        return .file(file)
    }
}
