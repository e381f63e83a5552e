import SystemPackage

extension URLError {
    /// The error of a file that we cannot open for reading.
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
