import URLLoading

/// Which answers are taken, and what becomes of the others.
struct AnswerPlan: Equatable, Sendable {
    /// Empty: all.
    var acceptedTypes: [MediaTypePattern] = []
    /// Bytes; nil is no limit.
    var maxFileSize: Int64?
    /// What counts as success, though it is 400 or above.
    var acceptedStatuses = StatusList()
    /// Whether the body of an error goes where that of a success would.
    var contentOnError = false
    /// Where else the body of an error goes; never standard output.
    var errorBody: Destination?
    /// The part that is asked for.
    var range: ByteRange?
    /// Whether a part is asked for, in whatever way.
    var asksForPart = false
    /// Whether the head goes before the body.
    var includesHead = false
    /// Whether a terminal gets what it cannot show.
    var forcesTerminal = false
    /// Whether what goes to no file is written only once it is whole and right.
    var holdsBodies = false

    init() {}

    /// Takes the flags over, and looks at the file they name.
    init(_ options: Options) throws(PlanError) {
        acceptedTypes = options.acceptedTypes
        maxFileSize = options.maxFileSize
        acceptedStatuses = options.acceptedStatuses
        contentOnError = options.contentOnError
        range = options.range
        forcesTerminal = options.forcesTerminal
        includesHead = options.includesHead
        holdsBodies =
            options.holds || options.checksum != nil || options.checksumSource != nil
        asksForPart =
            range != nil
            || options.headers.contains { HTTPHeaderFields.areSame($0.name, "Range") }
        guard let path = options.errorBody else { return }
        let name: OutputName = path == "-" ? .standardOutput : .path(path)
        let destination = try Destination.named(name, continues: false)
        if destination == .standardOutput {
            throw .usage(
                .invalidValue(
                    flag: "--error-body",
                    value: nil,
                    reason: "standard output is where a body goes in any case",
                    hint: "--content-on-error writes it there"
                )
            )
        }
        if case .file = destination, options.urls.count > 1 {
            throw .usage(
                .conflict(
                    "--error-body FILE",
                    "several URLs",
                    reason: "one file holds one body"
                )
            )
        }
        errorBody = destination
    }
}
