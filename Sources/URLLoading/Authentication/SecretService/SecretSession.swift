/// One errand at the Secret Service.
///
/// Secrets cross the bus as they are (the algorithm `plain`): a socket that only this user's
/// processes and root can reach, which could ask the service themselves.
struct SecretSession: ~Copyable {
    static let lockedName = "org.freedesktop.Secret.Error.IsLocked"
    /// Ours, for a prompt that the user has waved away.
    static let dismissedName = "URLLoading.Dismissed"
    /// Ours, for a service that has nowhere to put a new item.
    static let homelessName = "URLLoading.NoDefaultCollection"

    private static let service = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret.Service"
    private static let prompt = "org.freedesktop.Secret.Prompt"
    /// What stands for "no object".
    private static let nothing = "/"
    /// How long a person may take to unlock a key store.
    private static let patience: Duration = .seconds(120)
    /// More items than anybody has; each is one call.
    private static let itemLimit = 1_000

    private var connection: DBusConnection
    private let mayAsk: Bool
    private let session: String

    /// Opens a session at the service; a bus that knows how starts that first.
    init(_ connection: consuming DBusConnection, mayAsk: Bool) throws(DBusError) {
        var connection = connection
        self.mayAsk = mayAsk
        let reply = try connection.call(
            Self.call("OpenSession", signature: "sv") { writer in
                writer.string("plain")
                writer.signature("s")
                writer.string("")
            }
        )
        var reader = try reply.reader(of: "vo")
        _ = try reader.variant("s") { reader throws(DBusError) in try reader.string() }
        session = try reader.string()
        self.connection = connection
    }

    private static func call(
        _ member: String,
        of interface: String = Self.interface,
        at path: String = Self.path,
        signature: String = "",
        _ body: (inout DBusWriter) -> Void = { _ in }
    ) -> DBusMessage {
        DBusMessage(
            member,
            of: interface,
            at: path,
            to: Self.service,
            signature: signature,
            body
        )
    }

    /// The credentials that have these attributes, the one that was changed last first.
    mutating func credentials(
        matching attributes: [String: String]
    ) throws(DBusError) -> [StoredCredential] {
        let items = try unlockedItems(matching: attributes)
        guard !items.isEmpty else { return [] }
        let passwords = try secrets(of: items)
        var found: [(credential: StoredCredential, modified: UInt64)] = []
        for item in items {
            guard let password = passwords[item] else { continue }
            let (attributes, modified) = try properties(of: item)
            guard let (key, user) = SecretAttributes.read(attributes) else { continue }
            let credential = StoredCredential(key: key, user: user, password: password)
            found.append((credential, modified))
        }
        return found.sorted { $0.modified > $1.modified }.map(\.credential)
    }

    /// Keeps a credential in the user's default collection.
    mutating func save(_ credential: StoredCredential) throws(DBusError) {
        let reply = try connection.call(
            Self.call("ReadAlias", signature: "s") { $0.string("default") }
        )
        var reader = try reply.reader(of: "o")
        let collection = try reader.string()
        guard collection != Self.nothing else { throw .remote(name: Self.homelessName, words: "") }
        try unlock([collection])
        let attributes = SecretAttributes(credential.key, user: credential.user).values
        let label = "\(credential.user) at \(credential.key.space)"
        let made = try connection.call(
            Self.call(
                "CreateItem",
                of: "org.freedesktop.Secret.Collection",
                at: collection,
                signature: "a{sv}(oayays)b"
            ) { [session] writer in
                writer.array(of: 8) { writer in
                    writer.align(8)
                    writer.string("org.freedesktop.Secret.Item.Attributes")
                    writer.signature("a{ss}")
                    writer.dictionary(attributes)
                    writer.align(8)
                    writer.string("org.freedesktop.Secret.Item.Label")
                    writer.signature("s")
                    writer.string(label)
                }
                writer.align(8)
                writer.string(session)
                writer.array([])
                writer.array(credential.password.text.utf8)
                writer.string("text/plain; charset=utf8")
                // Replaces the item with the same attributes.
                writer.boolean(true)
            }
        )
        var answer = try made.reader(of: "oo")
        _ = try answer.string()
        try settle(try answer.string())
    }

    /// Removes what has these attributes; says whether there was anything.
    mutating func remove(matching attributes: [String: String]) throws(DBusError) -> Bool {
        let items = try unlockedItems(matching: attributes)
        for item in items {
            let reply = try connection.call(
                Self.call("Delete", of: "org.freedesktop.Secret.Item", at: item)
            )
            var reader = try reply.reader(of: "o")
            try settle(try reader.string())
        }
        return !items.isEmpty
    }
}

extension SecretSession {
    /// The items with these attributes, all unlocked by then.
    private mutating func unlockedItems(
        matching attributes: [String: String]
    ) throws(DBusError) -> [String] {
        let reply = try connection.call(
            Self.call("SearchItems", signature: "a{ss}") { $0.dictionary(attributes) }
        )
        var reader = try reply.reader(of: "aoao")
        let unlocked = try reader.paths()
        let locked = try reader.paths()
        if !locked.isEmpty { try unlock(Array(locked.prefix(Self.itemLimit))) }
        return Array((unlocked + locked).prefix(Self.itemLimit))
    }

    private mutating func unlock(_ objects: [String]) throws(DBusError) {
        let reply = try connection.call(
            Self.call("Unlock", signature: "ao") { $0.paths(objects) }
        )
        var reader = try reply.reader(of: "aoo")
        _ = try reader.paths()
        try settle(try reader.string())
    }

    /// Has the user asked, where the service wants that, and waits for the answer.
    private mutating func settle(_ prompt: String) throws(DBusError) {
        guard prompt != Self.nothing else { return }
        guard mayAsk else { throw .remote(name: Self.lockedName, words: "") }
        connection.extend(to: .now + Self.patience)
        try connection.watch("Completed", of: Self.prompt, at: prompt)
        _ = try connection.call(
            Self.call("Prompt", of: Self.prompt, at: prompt, signature: "s") { $0.string("") }
        )
        let signal = try connection.signal("Completed", of: Self.prompt, at: prompt)
        var reader = try signal.reader(of: "bv")
        if try reader.boolean() { throw .remote(name: Self.dismissedName, words: "") }
    }

    private mutating func secrets(of items: [String]) throws(DBusError) -> [String: Secret] {
        let reply = try connection.call(
            Self.call("GetSecrets", signature: "aoo") { [session] writer in
                writer.paths(items)
                writer.string(session)
            }
        )
        var reader = try reply.reader(of: "a{o(oayays)}")
        let pairs = try reader.array(of: 8) { reader throws(DBusError) in
            let item = try reader.string()
            try reader.align(8)
            _ = try reader.string()
            _ = try reader.byteArray()
            let value = try reader.byteArray()
            _ = try reader.string()
            return (item, String(validating: value, as: UTF8.self))
        }
        var secrets: [String: Secret] = [:]
        // What is not text is no password of ours.
        for (item, text) in pairs { secrets[item] = text.map(Secret.init) }
        return secrets
    }

    private mutating func properties(
        of item: String
    ) throws(DBusError) -> (attributes: [String: String], modified: UInt64) {
        let reply = try connection.call(
            Self.call(
                "GetAll",
                of: "org.freedesktop.DBus.Properties",
                at: item,
                signature: "s"
            ) { $0.string("org.freedesktop.Secret.Item") }
        )
        var reader = try reply.reader(of: "a{sv}")
        var attributes: [String: String] = [:]
        var modified: UInt64 = 0
        _ = try reader.array(of: 8) { reader throws(DBusError) in
            switch try reader.string() {
            case "Attributes":
                attributes =
                    try reader.variant("a{ss}") { reader throws(DBusError) in
                        try reader.dictionary()
                    } ?? [:]
            case "Modified":
                modified =
                    try reader.variant("t") { reader throws(DBusError) in try reader.uint64() } ?? 0
            default: try reader.skipVariant()
            }
        }
        return (attributes, modified)
    }
}
