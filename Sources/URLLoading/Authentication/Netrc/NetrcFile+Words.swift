extension NetrcFile.Warning: CustomStringConvertible {
    /// What is the matter, and what to do about it.
    package var description: String {
        switch self {
        case .loosePermissions(let permissions):
            "others may read the passwords in it (mode \(String(permissions, radix: 8))):"
                + " chmod 600 would keep them out"
        case .foreignOwner: "it belongs to another user"
        }
    }
}

extension NetrcFile.Failure: CustomStringConvertible {
    /// What is the matter.
    package var description: String {
        switch self {
        case .unreadable(let errno): "\(errno)"
        case .notAFile: "not a file"
        case .tooLarge: "too large, more than \(NetrcFile.sizeLimit >> 20) MiB"
        case .flawed(let flaw): "\(flaw)"
        }
    }
}
