import URLLoading

/// `--forget-credentials`: deletes the saved credentials for the hosts of the URLs.
struct CredentialForgetting {
    let plan: Plan
    let printer: Printer

    func run() -> ProcessExit {
        let store = plan.authentication.keyStore.open(mayAsk: TerminalPrompt.isInForeground)
        do throws(CredentialStoreError) {
            let all = try store?.allCredentials() ?? []
            for task in plan.tasks {
                let host = task.address.host.withoutBrackets.asciiLowercased
                let user = task.identity.credential?.user
                let meant = all.filter { credential in
                    credential.key.proxyType == nil && credential.key.host.hasBytes(of: host)
                        && (user.map { credential.user.hasBytes(of: $0) } ?? true)
                }
                for credential in meant {
                    _ = try store?.remove(user: credential.user, for: credential.key)
                    printer.note("forgotten: \(described(credential.key))")
                }
                if meant.isEmpty { printer.note("nothing is saved for \(Printable.text(host))") }
            }
            return .status(.success)
        } catch {
            printer.error("--forget-credentials: \(Printable.text("\(error)"))")
            return .status(Self.status(of: error))
        }
    }

    private func described(_ key: CredentialKey) -> String {
        let method = AuthenticationMethod.name(key.method) ?? key.method
        return "a user and password for \(key.space.shown), \(method)"
    }

    private static func status(of error: CredentialStoreError) -> ExitStatus {
        if case .file = error { .fileIO } else { .failure }
    }
}
