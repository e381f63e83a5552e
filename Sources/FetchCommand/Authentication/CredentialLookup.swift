import Synchronization
import SystemPackage
import URLLoading

/// Queries the sources of credentials; it may block, and is never called on the delegate queue.
final class CredentialLookup: Sendable {
    struct Question: Sendable {
        let space: URLProtectionSpace
        /// Whether the command line's URL has this origin.
        let isFirstOrigin: Bool
        /// Whether a `default` entry of `.netrc` applies.
        let isNamed: Bool
        let refusedUser: String?
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

    /// Queries one source, for any user if there is none; `end` rings when it is no longer needed.
    func find(
        _ source: CredentialSource,
        user: String?,
        for question: Question,
        until end: Doorbell
    ) -> FoundCredential? {
        // After a redirect, no saved credential is sent over plain HTTP, by any method. A prompt
        // names the server, so the user knows where the password goes.
        let isWithheld =
            !question.isFirstOrigin && question.space.protocol != NSURLProtectionSpaceHTTPS
        return switch source {
        case .user, .url: nil
        case .netrc: isWithheld ? nil : inNetrc(user, question)
        case .storage: isWithheld ? nil : inStorage(user, question.space)
        case .askpass: askProgram(user, question, until: end)
        case .terminal: askTerminal(user, question, until: end)
        }
    }

    private func inNetrc(_ user: String?, _ question: Question) -> FoundCredential? {
        guard let entry = readNetrc()?.entry(for: question.space.host, login: user),
            // A `default` entry does not apply to the target of a redirect.
            entry.machine != nil || question.isNamed,
            let password = entry.password
        else { return nil }
        // An entry without a login serves the user in question, or else an empty user, as in curl.
        return FoundCredential(user: entry.login ?? user ?? "", password: password, source: .netrc)
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
        switch plan.netrc {
        case .none: return nil
        case .named(let path, let content):
            if let warning = content.warning { warn("\(path): \(warning)") }
            return content.netrc
        case .usual:
            guard let file = NetrcFile() else { return nil }
            do throws(NetrcFile.Failure) {
                let content = try file.read()
                if let warning = content?.warning { warn("\(file.path): \(warning)") }
                return content?.netrc
            } catch {
                warn("\(file.path): \(error)")
                return nil
            }
        }
    }

    private func inStorage(_ user: String?, _ space: URLProtectionSpace) -> FoundCredential? {
        let found =
            if let user {
                storage.credentials(for: space)?[user]
            } else {
                storage.defaultCredential(for: space)
            }
        guard let login = found?.user, let password = found?.password else { return nil }
        return FoundCredential(user: login, password: Secret(password), source: .storage)
    }

    private func warn(_ words: String) { printer.warning(Printable.text(words), waits: false) }
}

// Prompts.
extension CredentialLookup {
    /// The prompts are git's, because some of these programs recognise them.
    private func askProgram(
        _ user: String?,
        _ question: Question,
        until end: Doorbell
    ) -> FoundCredential? {
        guard let program = plan.askpass else { return nil }
        let place = question.space.placeText
        do throws(Errno) {
            var name = user
            if name == nil {
                name = try AskpassProgram.ask(program, "Username for '\(place)': ", until: end)
            }
            guard let name, !name.isEmpty else { return nil }
            let encoded = PercentCoding.encodeSegment(name)
            let full = place.replacing("://", with: "://\(encoded)@", maxReplacements: 1)
            guard
                let password = try AskpassProgram.ask(
                    program,
                    "Password for '\(full)': ",
                    until: end
                )
            else { return nil }
            return FoundCredential(user: name, password: Secret(password), source: .askpass)
        } catch {
            warn("--use-askpass \(program): \(error)")
            return nil
        }
    }

    private func askTerminal(
        _ user: String?,
        _ question: Question,
        until end: Doorbell
    ) -> FoundCredential? {
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
            guard
                let name = user ?? prompt.ask("User: ", isSecret: false, until: end),
                !name.isEmpty,
                let password = prompt.ask(
                    "Password for \(Printable.text(name)): ",
                    isSecret: true,
                    until: end
                )
            else { return nil }
            return FoundCredential(user: name, password: Secret(password), source: .terminal)
        }
    }
}
