import URLLoading

/// Carries out the orders to background sessions, except attaching.
enum BackgroundActions {
    static func run(_ action: BackgroundAction) -> ProcessExit {
        do {
            let control = try BackgroundControl()
            switch action {
            case .list(let form): return list(form, control)
            case .send(let request, let session):
                return try send(request, to: session, action.flag, control)
            case .resumeAll: return resumeAll(control)
            case .attach: return .status(.success)
            }
        } catch {
            return fail(error, action.flag)
        }
    }

    /// Reports an error, and returns the exit status for it.
    static func fail(
        _ error: any Error,
        _ what: String,
        _ printer: Printer = .errorsOnly
    ) -> ProcessExit {
        let error = (error as? BackgroundError)?.urlError ?? error as? URLError
        guard let error else { return .status(.failure) }
        printer.error("\(what): \(error.words)")
        return .status(ExitStatus(error.code))
    }

    private static func send(
        _ request: BackgroundControl.SessionRequest,
        to session: BackgroundIdentifier,
        _ flag: String,
        _ control: BackgroundControl
    ) throws -> ProcessExit {
        do throws(URLError) {
            if try control.send(request, to: session) { return .status(.success) }
        } catch {
            guard request == .discard, error.code == .cannotOpenFile else { throw error }
            let folder = ShellWord.quoted(control.path(of: session))
            let hint = "to discard it: rm -r \(folder)"
            Printer.errorsOnly.error("\(flag): \(error.words)", hint: hint)
            return .status(ExitStatus(error.code))
        }
        return reportMissing(session, flag)
    }

    static func reportMissing(_ session: BackgroundIdentifier, _ flag: String) -> ProcessExit {
        Printer.errorsOnly.error(
            "\(flag): there is no background session \(ShellWord.quoted(session.text))",
            hint:
                "--background-list lists the sessions; one is removed when all its events are reported"
        )
        return .status(.failure)
    }

    private static func resumeAll(_ control: BackgroundControl) -> ProcessExit {
        var worst = ExitStatus.success
        for (name, error) in control.startAll() {
            let shown = ShellWord.quoted(name)
            Printer.errorsOnly.error("--background-resume-all: \(shown): \(error.words)")
            worst = ExitStatus.moreSevere(worst, ExitStatus(error.code))
        }
        return .status(worst)
    }

    private static func list(_ form: EventForm, _ control: BackgroundControl) -> ProcessExit {
        var worst = ProcessExit.status(.success)
        for session in control.sessions {
            switch session {
            case .success(let summary):
                let text =
                    switch form {
                    case .text: BackgroundListing.text(of: summary, at: .now)
                    case .json: BackgroundListing.json(of: summary)
                    }
                let result = FetchCommand.print(text)
                guard case .status(.success) = result else { return result }
            case .failure(let error):
                worst = fail(error, BackgroundAction.list(form).flag)
            }
        }
        return worst
    }
}
