/// One operation of the Secret Service.
///
/// Secrets cross the bus unencrypted (the algorithm `plain`). Only this user's processes and root can reach
/// that socket, and they could ask the service themselves.
struct SecretSession: ~Copyable {
    private static let prompt = "org.freedesktop.Secret.Prompt"
    private static let item = "org.freedesktop.Secret.Item"
    /// The path for "no object".
    private static let nothing = "/"
    /// How long the user may take to unlock a key store.
    private static let promptTimeout: Duration = .seconds(120)
    /// The largest number of items; each costs a call.
    private static let itemLimit = 1_000

    private var bus: MessageBus
    private let mayAsk: Bool
    private let session: String

    /// Opens a session at the service, which the bus starts if necessary.
    init(_ bus: consuming MessageBus, mayAsk: Bool) throws(CredentialStoreError) {
        let reply = try bus.callService("OpenSession") { call in
            call.append("plain")
            call.append("v", of: "s") { $0.append("") }
        }
        try reply.skip("v")
        session = try reply.text("o")
        self.mayAsk = mayAsk
        self.bus = bus
    }

    /// The credentials with these attributes, the last modified first.
    mutating func credentials(
        matching attributes: [String: String]
    ) throws(CredentialStoreError) -> [StoredCredential] {
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

    /// Saves a credential in the user's default collection.
    mutating func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        let collection = try bus.callService("ReadAlias") { $0.append("default") }.text("o")
        guard collection != Self.nothing else { throw .noCollection }
        try unlock([collection])
        let attributes = SecretAttributes(credential.key, user: credential.user).values
        let label = SecretAttributes.label("\(credential.user) at \(credential.key.space)")
        let reply = try bus.callService(
            "CreateItem",
            of: "org.freedesktop.Secret.Collection",
            at: collection
        ) { [session] call in
            call.clearWhenFreed()
            call.append("a", of: "{sv}") { properties in
                properties.append("e", of: "sv") { property in
                    property.append("\(Self.item).Attributes")
                    property.append("v", of: "a{ss}") { $0.append(attributes) }
                }
                properties.append("e", of: "sv") { property in
                    property.append("\(Self.item).Label")
                    property.append("v", of: "s") { $0.append(label) }
                }
            }
            call.append("r", of: "oayays") { secret in
                secret.append(session, as: "o")
                secret.append([])
                secret.append(Array(credential.password.text.utf8))
                secret.append("text/plain; charset=utf8")
            }
            // Replaces an item with the same attributes.
            call.append(true)
        }
        try reply.skip("o")
        try settle(reply.text("o"))
    }

    /// Removes the items with these attributes; returns whether there was one.
    mutating func remove(
        matching attributes: [String: String]
    ) throws(CredentialStoreError) -> Bool {
        let items = try unlockedItems(matching: attributes)
        for item in items {
            try settle(bus.callService("Delete", of: Self.item, at: item).text("o"))
        }
        return !items.isEmpty
    }

    /// The items with these attributes, after unlocking.
    private mutating func unlockedItems(
        matching attributes: [String: String]
    ) throws(CredentialStoreError) -> [String] {
        let reply = try bus.callService("SearchItems") { $0.append(attributes) }
        let unlocked = try reply.paths()
        let locked = try reply.paths()
        if !locked.isEmpty { try unlock(Array(locked.prefix(Self.itemLimit))) }
        return Array((unlocked + locked).prefix(Self.itemLimit))
    }

    private mutating func unlock(_ objects: [String]) throws(CredentialStoreError) {
        let reply = try bus.callService("Unlock") { $0.append(paths: objects) }
        try reply.skip("ao")
        try settle(reply.text("o"))
    }

    /// Lets the service prompt the user, if it requests that, and waits for the result.
    private mutating func settle(_ prompt: String) throws(CredentialStoreError) {
        guard prompt != Self.nothing else { return }
        guard mayAsk else { throw .locked }
        bus.extend(to: .now + Self.promptTimeout)
        try bus.watch("Completed", of: Self.prompt, at: prompt)
        let completed = try bus.callService(
            "Prompt",
            of: Self.prompt,
            at: prompt,
            awaiting: "Completed"
        ) { $0.append("") }
        if try completed.flag() { throw .dismissed }
    }

    private func secrets(of items: [String]) throws(CredentialStoreError) -> [String: Secret] {
        let reply = try bus.callService("GetSecrets") { [session] call in
            call.append(paths: items)
            call.append(session, as: "o")
        }
        reply.clearWhenFreed()
        let pairs = try reply.array(of: "{o(oayays)}") { () throws(CredentialStoreError) in
            try reply.inside("e", of: "o(oayays)") { () throws(CredentialStoreError) in
                let item = try reply.text("o")
                let value = try reply.inside("r", of: "oayays") { () throws(CredentialStoreError) in
                    try reply.skip("oay")
                    let bytes = try reply.bytes()
                    try reply.skip("s")
                    return bytes
                }
                return (item, String(validating: value, as: UTF8.self))
            }
        }
        var secrets: [String: Secret] = [:]
        // A secret that is not text is not a password of this program.
        for (item, text) in pairs { secrets[item] = text.map(Secret.init) }
        return secrets
    }

    private func properties(
        of item: String
    ) throws(CredentialStoreError) -> (attributes: [String: String], modified: UInt64) {
        let reply = try bus.callService("GetAll", of: "org.freedesktop.DBus.Properties", at: item) {
            $0.append(Self.item)
        }
        var attributes: [String: String] = [:]
        var modified: UInt64 = 0
        _ = try reply.array(of: "{sv}") { () throws(CredentialStoreError) in
            try reply.inside("e", of: "sv") { () throws(CredentialStoreError) in
                switch try reply.text() {
                case "Attributes":
                    attributes =
                        try reply.variant(of: "a{ss}") { () throws(CredentialStoreError) in
                            try reply.dictionary()
                        } ?? [:]
                case "Modified":
                    modified =
                        try reply.variant(of: "t") { () throws(CredentialStoreError) in
                            try reply.number()
                        } ?? 0
                default: try reply.skip("v")
                }
            }
        }
        return (attributes, modified)
    }
}

extension MessageBus {
    /// Calls a method of the service, and waits for the reply, or for a signal of the same object.
    fileprivate func callService(
        _ member: String,
        of interface: String = "org.freedesktop.Secret.Service",
        at path: String = "/org/freedesktop/secrets",
        awaiting signal: String? = nil,
        _ arguments: (inout BusMessage) -> Void = { _ in }
    ) throws(CredentialStoreError) -> BusMessage {
        var call = try message(member, of: interface, at: path, to: "org.freedesktop.secrets")
        arguments(&call)
        return try self.call(call, awaiting: signal.map { ($0, interface, path) })
    }

    /// Subscribes to a signal that is broadcast.
    fileprivate func watch(
        _ member: String,
        of interface: String,
        at path: String
    ) throws(CredentialStoreError) {
        let bus = "org.freedesktop.DBus"
        var call = try message("AddMatch", of: bus, at: "/org/freedesktop/DBus", to: bus)
        call.append("type='signal',interface='\(interface)',member='\(member)',path='\(path)'")
        _ = try self.call(call)
    }
}

extension CredentialStoreError {
    /// The service has no collection for a new item; the user may create one, and reads are possible.
    static let noCollection = CredentialStoreError.unavailable("it has no default collection")
}
