extension TestUser {
    /// Writes password files for Basic and Digest into a folder: `basic.users`, `digest.users`.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - realm: The realm of the Digest passwords.
    /// - Throws: `TestSupportError` when `openssl` is missing or fails.
    static func writePasswordFiles(to folder: TemporaryFolder, realm: String) throws {
        _ = try Spawn.find("openssl")
        try Tool.run(
            #"""
            realm=$1
            shift
            while [ $# -gt 0 ]; do
                hash=$(printf %s "$2" | openssl passwd -apr1 -stdin)
                printf '%s:%s\n' "$1" "$hash" >>basic.users
                hash=$(printf %s "$1:$realm:$2" | md5sum | cut -c 1-32)
                printf '%s:%s:%s\n' "$1" "$realm" "$hash" >>digest.users
                shift 2
            done
            """#,
            arguments: [realm] + [usual, unusual].flatMap { [$0.name, $0.password] },
            in: folder
        )
    }
}
