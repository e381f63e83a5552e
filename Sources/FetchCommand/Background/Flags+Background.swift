import URLLoading

extension Flags {
    static let background: [Flag] = [
        Flag(
            ["--background", "-b"],
            help: "transfer in a separate process; print its session's name",
            details: """
                They continue when this command, the terminal or the login ends. The session's \
                name is printed on standard output. --attach and the other flags of this section \
                take it. The session is kept in `fetch/background` in `$XDG_STATE_HOME`, or in \
                `~/.local/state`. It continues after a crash. After a reboot, it continues with \
                --attach or --background-resume. A file has its name only when it is complete. \
                Network errors are retried until --max-time runs out, or without limit. Several \
                commands may add tasks to one session. A file to send is copied at once. If it \
                has more than 16 MiB and the file system cannot share its blocks, the file \
                itself is sent later. If it has changed by then, the task fails.
                """
        ) { $0.background = true },
        Flag(
            ["--identifier"],
            value: "ID",
            help: "use ID as the name of the --background session",
            details: """
                Without this flag, the session is given a name. ID is any text of 1 to 1,024 \
                bytes. If the session exists, the tasks are added to it.
                """
        ) { $0.identifier = try $1.identifier() },
        Flag(
            ["--on-complete"],
            value: "COMMAND",
            help: "run COMMAND when the session is done, or needs a password",
            details: """
                COMMAND is run by `sh -c` in the current folder. Its environment has \
                `FETCH_BACKGROUND_ID` and `FETCH_BACKGROUND_OUTCOME` (`success`, `failure` or \
                `credential`). Two more variables, which end in `SUCCEEDED` and `FAILED`, count \
                the tasks. COMMAND continues if the session is cancelled meanwhile. \
                --background-list shows its exit status, and the file with its output.
                """
        ) { options, value in
            guard !value.text.isEmpty, !value.text.utf8.contains(0) else {
                throw value.invalid("is not a command")
            }
            options.onComplete = value.text
        },
        Flag(
            ["--discretionary"],
            help: "let the session wait for mains power and an idle machine, at a low priority",
            details: """
                The session waits until --attach or --background-resume names it, or until a \
                later --background without this flag adds tasks to it.
                """
        ) { $0.isDiscretionary = true },
        Flag(
            ["--no-discretionary"],
            help: "start the session at once (the default)"
        ) { $0.isDiscretionary = false },
        Flag(
            ["--attach"],
            value: "ID",
            help: "report the results of a background session, and follow it to its end",
            details: """
                The end of each task is reported once, to the command that attaches first. Only \
                one command can be attached at a time. It asks for passwords that servers \
                require. Stopping this command does not stop the session. The exit status is the \
                gravest of the reported ones.
                """
        ) { try $0.take(.attach($1.identifier())) },
        Flag(
            ["--background-list"],
            help: "list the background sessions and their tasks",
            details: """
                A task that has ended is listed with its result until --attach has reported it. \
                The output of the --on-complete command is in the file named in the list, for 30 \
                days.
                """
        ) { try $0.take(.list(.text)) },
        Flag(
            ["--background-list-json"],
            help: "list the background sessions as JSON, one object per line",
            details: "`docs/background-list.schema.json`, in `share/doc/fetch`, describes the"
                + " objects."
        ) { try $0.take(.list(.json)) },
        Flag(
            ["--background-pause"],
            value: "ID",
            help: "pause the transfers of a background session"
        ) { try $0.take(.send(.pause, to: $1.identifier())) },
        Flag(
            ["--background-resume"],
            value: "ID",
            help: "resume a background session, also after a reboot"
        ) { try $0.take(.send(.resume, to: $1.identifier())) },
        Flag(
            ["--background-resume-all"],
            help: "resume all background sessions that a reboot has stopped",
            details: """
                Also written --background-resume --all. Paused sessions stay paused, and held \
                tasks stay held. This flag is for the start of the machine, as in the systemd \
                user unit fetch-background.service.
                """
        ) { try $0.take(.resumeAll) },
        Flag(
            ["--background-cancel"],
            value: "ID",
            help: "cancel a background session, and discard its unreported events",
            details: "Files that are complete are kept."
        ) { try $0.take(.send(.discard, to: $1.identifier())) },
    ]
}

extension FlagValue {
    fileprivate func identifier() throws(UsageError) -> BackgroundIdentifier {
        try mapError(BackgroundIdentifier(text)) { (error: BackgroundError) in
            invalid("is not a session name: \(error)")
        }
    }
}

extension Options {
    /// Takes an order to background sessions; there can be only one.
    fileprivate mutating func take(_ order: BackgroundAction) throws(UsageError) {
        if let other = backgroundAction, other.flag != order.flag {
            throw .conflict(other.flag, order.flag, reason: "only one of them can be given")
        }
        backgroundAction = order
    }
}

/// An order to background sessions, instead of fetching.
enum BackgroundAction: Equatable, Sendable {
    case list(EventForm)
    case attach(BackgroundIdentifier)
    case send(BackgroundControl.SessionRequest, to: BackgroundIdentifier)
    case resumeAll

    var flag: String {
        switch self {
        case .list(.text): "--background-list"
        case .list(.json): "--background-list-json"
        case .attach: "--attach"
        case .send(.pause, _): "--background-pause"
        case .send(.resume, _): "--background-resume"
        case .send: "--background-cancel"
        case .resumeAll: "--background-resume-all"
        }
    }
}
