import SystemPackage

extension PartFile {
    /// Opens it once more, to be read.
    ///
    /// Throws `cannotOpenFile` where its path names another file by now, or it may not be read.
    func openForReading() throws(URLError) -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        guard let own = identity, let found = FileStatus(descriptor: file.rawValue)?.identity,
            own.device == found.device, own.inode == found.inode
        else {
            try? file.close()
            throw URLError(.cannotOpenFile, detail: "\(path) is another file now")
        }
        return file
    }
}
