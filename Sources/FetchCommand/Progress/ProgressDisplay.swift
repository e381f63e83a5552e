import Glibc

/// Where progress is shown.
enum ProgressDisplay: Sendable {
    /// Nowhere, and nothing is counted for it.
    case none
    /// Now and then in a line of its own.
    case lines
    /// In bars on the terminal.
    case bars(BarBoard)

    /// Looks at standard error where the choice leaves that open, and where it asks for bars.
    ///
    /// Bars are alone on their terminal but for what is said: no events go there by another way.
    init(_ choice: ProgressChoice?, besides events: EventLog) {
        switch choice {
        case ProgressChoice.none?: self = .none
        case .lines: self = .lines
        case .bar, nil:
            guard isatty(STDERR_FILENO) != 0, !events.isOnTerminal else {
                self = .lines
                return
            }
            let surroundings = TerminalSurroundings { name in
                getenv(name).map { String(cString: $0) }
            }
            self = BarBoard(surroundings).map(Self.bars) ?? .lines
        }
    }

    var isShown: Bool {
        if case .none = self { false } else { true }
    }

    /// Takes a task's bar away.
    func end(_ progress: TaskProgress) {
        if case .bars(let board) = self { board.remove(progress) }
    }
}
