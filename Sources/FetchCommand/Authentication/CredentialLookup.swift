import Synchronization
import SystemPackage
import URLLoading

/// Queries the sources of credentials; it may block, and is never called on the delegate queue.
final class CredentialLookup: Sendable {
    struct Question: Sendable {
        let space: URLProtectionSpace
        /// Whether the command line's URL has this origin.
        let isFirstOrigin: Bool
        /// Whether a `default` entry of `.netrc` applies; never to the target of a redirect.
        let isNamed: Bool
        /// The user whose password is sought; `nil`: any.
        let user: String?
        /// Rings when the credential is no longer needed.
        let end: Doorbell
        var refusedUser: String?
    }

    private let plan: AuthenticationPlan
    private let printer: Printer
    /// The netrc file, read once at the first search.
    private let netrc = Mutex<Netrc??>(nil)
    private let kept = Mutex<URLCredentialStorage?>(nil)

    init(_ plan: AuthenticationPlan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
    }

    /// Whether the user can be prompted, also to unlock the key store.
    ///
    /// A background job of a shell cannot prompt. With `--ask-password` it prompts nevertheless,
    /// and the kernel stops it.
    var canAsk: Bool {
        plan.promptPolicy == .always ? TerminalPrompt.exists : TerminalPrompt.isInForeground
    }

    var storage: URLCredentialStorage {
        kept.withLock { kept in
            if let kept { return kept }
            let made = URLCredentialStorage(plan.keyStore.open(mayAsk: canAsk))
            kept = made
            return made
        }
    }

    func find(_ source: CredentialSource, for question: Question) -> FoundCredential? {
        // After a redirect, no saved credential is sent over plain HTTP, by any method. A prompt
        // names the server, so the user knows where the password goes.
        let isWithheld =
            !question.isFirstOrigin && question.space.protocol != NSURLProtectionSpaceHTTPS
        return switch source {
        case .user, .url: nil
        case .netrc where isWithheld, .storage where isWithheld: nil
        case .netrc:
            readNetrc()?.credential(
                at: question.space.host,
                user: question.user,
                usesDefault: question.isNamed
            )
        case .storage: inStorage(question)
        case .askpass: askProgram(question)
        case .terminal: askTerminal(question)
        }
    }

    private func readNetrc() -> Netrc? {
        netrc.withLock { netrc in
            if let known = netrc { return known }
            let read = loadNetrc()
            netrc = .some(read)
            return read
        }
    }

    private func loadNetrc() -> Netrc? {
        guard let path = plan.netrc.path else { return nil }
        do throws(NetrcFile.Failure) {
            let content = try plan.netrc.read()
            if let warning = content?.warning { warn("\(path): \(warning)") }
            return content?.netrc
        } catch {
            warn("\(path): \(error)")
            return nil
        }
    }

    private func inStorage(_ question: Question) -> FoundCredential? {
        let found =
            if let user = question.user {
                storage.credentials(for: question.space)?[user]
            } else {
                storage.defaultCredential(for: question.space)
            }
        guard let login = found?.user, let password = found?.password else { return nil }
        return FoundCredential(user: login, password: Secret(password), source: .storage)
    }

    private func warn(_ words: String) { printer.warning(Printable.text(words), waits: false) }
}

// Prompts.
extension CredentialLookup {
    /// The prompts are git's, because some of these programs recognise them.
    private func askProgram(_ question: Question) -> FoundCredential? {
        guard let program = plan.askpass else { return nil }
        let place = question.space.placeText
        let ask = { (what: String) throws(Errno) in
            try AskpassProgram.ask(program, what, until: question.end)
        }
        do throws(Errno) {
            var name = question.user
            if name == nil { name = try ask("Username for '\(place)': ") }
            guard let name, !name.isEmpty else { return nil }
            let encoded = PercentCoding.encodeSegment(name)
            let full = place.replacing("://", with: "://\(encoded)@", maxReplacements: 1)
            guard let password = try ask("Password for '\(full)': ") else { return nil }
            return FoundCredential(user: name, password: Secret(password), source: .askpass)
        } catch {
            warn("--use-askpass \(program): \(error)")
            return nil
        }
    }

    private func askTerminal(_ question: Question) -> FoundCredential? {
        guard let prompt = TerminalPrompt() else { return nil }
        return printer.whilePrompting {
            let method = AuthenticationMethod.name(question.space.authenticationMethod) ?? "?"
            let isSafe = question.space.receivesCredentialSecurely
            let risk = isSafe ? "" : ", not encrypted"
            prompt.write(
                question.refusedUser == nil
                    ? "\(question.space.shown) requires a login (\(method)\(risk))\n"
                    : "Login refused. Try again:\n"
            )
            let name = question.user ?? prompt.ask("User: ", isSecret: false, until: question.end)
            guard let name, !name.isEmpty else { return nil }
            let words = "Password for \(Printable.text(name)): "
            return prompt.ask(words, isSecret: true, until: question.end).map {
                FoundCredential(user: name, password: Secret($0), source: .terminal)
            }
        }
    }
}
