import SystemPackage

extension URLError {
    /// What keeps a file from being opened to be read.
    init(opening path: String, _ errno: Errno) {
        let code: Code =
            switch errno {
            case .noSuchFileOrDirectory, .notDirectory: .fileDoesNotExist
            case .permissionDenied, .notPermitted: .noPermissionsToReadFile
            case .isDirectory: .fileIsDirectory
            default: .cannotOpenFile
            }
        self.init(code, detail: "\(path): \(errno)")
    }
}
