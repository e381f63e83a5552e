import Foundation

/// A real Secret Service, gnome-keyring, on a D-Bus session bus of its own.
///
/// It is separate from the user's bus and keyring, and its secrets disappear with the test process. It
/// cannot prompt for a password: where it would have to, a client fails.
public final class Keyring: Sendable {
    private static let unlocked = Result { try Keyring(isLocked: false) }
    private static let locked = Result { try Keyring(isLocked: true) }

    /// The service of this test process, whose collection is unlocked.
    ///
    /// All tests share it, so a test uses attributes of its own.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public static var shared: Keyring {
        get throws { try unlocked.get() }
    }

    /// A second service, whose collection is locked and cannot be unlocked.
    public static var sharedLocked: Keyring {
        get throws { try locked.get() }
    }

    /// The environment variables of a client.
    public let environment: [String: String]

    /// The folder of all its files, which exists as long as this object.
    private let folder: TemporaryFolder

    /// The path of the default collection.
    private static let collection = "/org/freedesktop/secrets/collection/login"

    /// Starts a service that no other test uses.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public convenience init() throws {
        try self.init(isLocked: false)
    }

    private init(isLocked: Bool) throws {
        for program in ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"] {
            _ = try Spawn.find(program)
        }
        let folder = try TemporaryFolder("secrets")
        Janitor.shared.deleteAtExit(folder)
        self.folder = folder
        let address = "unix:path=\(folder.path)/bus"
        environment = ["DBUS_SESSION_BUS_ADDRESS": address]

        try folder.write(Self.busConfiguration(address: address), to: "bus.conf")
        try Daemon(
            program: "dbus-daemon",
            arguments: ["--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile"],
            folder: folder
        ).start { _ in
            // The bus's socket has its name before the bus accepts clients.
            (try? Self.callBus("GetId", at: address, in: folder)) != nil
        }

        try folder.write(TestUser.usual.password, to: "password")
        try folder.makeFolder("control")
        try Daemon(
            program: "gnome-keyring-daemon",
            arguments: [
                "--foreground", "--unlock", "--components=secrets",
                "--control-directory=\(folder.path)/control",
            ],
            folder: folder,
            environment: environment.merging([
                "HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            ]) { $1 },
            input: folder.path("password")
        ).start { _ in
            (try? Self.isLocked(at: address, in: folder)) == false
        }
        if isLocked { try Self.lock(at: address, in: folder) }
    }

    private static func isLocked(at address: String, in folder: TemporaryFolder) throws -> Bool {
        try call(
            "\(collection) org.freedesktop.DBus.Properties.Get "
                + "string:org.freedesktop.Secret.Collection string:Locked",
            at: address,
            in: folder
        ).contains("boolean true")
    }

    private static func lock(at address: String, in folder: TemporaryFolder) throws {
        try call(
            "/org/freedesktop/secrets org.freedesktop.Secret.Service.Lock "
                + "array:objpath:\(collection)",
            at: address,
            in: folder
        )
        guard try isLocked(at: address, in: folder) else {
            throw TestSupportError.programFailed("gnome-keyring-daemon", output: "did not lock")
        }
    }

    /// Calls a method of the bus itself.
    private static func callBus(
        _ method: String,
        at address: String,
        in folder: TemporaryFolder
    ) throws {
        let bus = "org.freedesktop.DBus"
        try call("/org/freedesktop/DBus \(bus).\(method)", of: bus, at: address, in: folder)
    }

    /// Calls a method of the service, and returns its reply as `dbus-send` prints it.
    @discardableResult
    private static func call(
        _ arguments: String,
        of destination: String = "org.freedesktop.secrets",
        at address: String,
        in folder: TemporaryFolder
    ) throws -> String {
        try Tool.run(
            """
            dbus-send --bus="$1" --print-reply --reply-timeout=5000 \
                --dest=\(destination) \(arguments)
            """,
            arguments: [address],
            in: folder
        )
    }

    /// A session bus for this user only, which starts no program for a call.
    private static func busConfiguration(address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
            <type>session</type>
            <listen>\(address)</listen>
            <auth>EXTERNAL</auth>
            <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
            </policy>
        </busconfig>

        """
    }
}
