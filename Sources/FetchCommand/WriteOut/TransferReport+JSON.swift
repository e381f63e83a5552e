import URLLoading

extension TransferReport {
    /// All variables under their names, and libcurl's version at the end.
    var json: EventValue {
        let members = WriteOutVariable.allCases.map { EventMember($0.rawValue, value($0).json) }
        let version = EventMember("curl_version", .plain(URLLoadingVersion.libraries))
        return .object(members + [version], summary: "")
    }

    /// The fields of the last answer by their names in small letters, each with all its values.
    ///
    /// A credential reads `(redacted)`: nobody has asked for it by name.
    var headerJSON: EventValue {
        var members: [(name: String, values: [EventValue])] = []
        for field in response?.headerFields.fields ?? [] {
            let isSecret = Redaction.isSecret(header: field.name)
            let value = isSecret ? EventValue.plain(Redaction.placeholder) : .text(field.value)
            let name = field.name.asciiLowercased
            if let place = members.firstIndex(where: { $0.name.hasBytes(of: name) }) {
                members[place].values.append(value)
            } else {
                members.append((name, [value]))
            }
        }
        return .object(members.map { EventMember($0.name, .list($0.values)) }, summary: "")
    }

    /// The first field of a name, as it came.
    func header(_ name: String) -> String {
        response?.headerFields.first(name) ?? ""
    }
}
