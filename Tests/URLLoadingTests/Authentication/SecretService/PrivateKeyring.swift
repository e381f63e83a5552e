import FoundationEssentials
import TestSupport

@testable import URLLoading

/// A message bus of its own, and gnome-keyring on it, with a collection that is unlocked.
struct PrivateKeyring {
    private let bus: RunningProcess
    private let keyring: RunningProcess
    /// What programs need to find it.
    let environment: [String: String]

    /// Starts both, and waits until the collection can be had.
    init() async throws {
        let folder = try TemporaryFolder("keyring")
        let socket = folder.path("bus")
        environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)"]
        // Without services of its own: it would start a second gnome-keyring.
        let configuration = try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
                <type>session</type>
                <listen>unix:path=\(socket)</listen>
                <auth>EXTERNAL</auth>
                <policy context="default">
                    <allow send_destination="*"/>
                    <allow receive_sender="*"/>
                    <allow own="*"/>
                </policy>
            </busconfig>
            """,
            to: "bus.conf"
        )
        bus = try FetchProcess(
            shell: #"exec dbus-daemon --nofork --nopidfile --config-file="$1""#,
            [configuration],
            in: folder,
            timeLimit: .seconds(60)
        ).start()
        let isListening = await eventually { folder.exists("bus") }
        guard isListening else { throw TestSupportError.timedOut("dbus-daemon", seen: bus.stderr) }
        keyring = try FetchProcess(
            shell: "exec gnome-keyring-daemon --foreground --components=secrets --unlock",
            in: folder,
            environment: environment,
            input: .text("password"),
            timeLimit: .seconds(60)
        ).start()
        // The service answers before its collection is there.
        let probe = stored("probe")
        let isReady = await eventually {
            let service = service()
            return (try? service.save(probe)) != nil
                && (try? service.remove(user: probe.user, for: probe.key)) == true
        }
        guard isReady else {
            throw TestSupportError.timedOut("gnome-keyring", seen: keyring.stderr)
        }
    }

    /// The key store, as a session would have it.
    func service() -> SecretService {
        SecretService(mayAsk: false, environment: { environment[$0] })
    }

    /// Runs a script with the tools of the desktop.
    func shell(_ script: String) async throws -> ProcessResult {
        try await FetchProcess(shell: script, environment: environment).run()
    }
}
