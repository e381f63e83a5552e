import FoundationEssentials
import Glibc
import TestSupport

extension TestSupport.TemporaryFolder {
    /// All files below a subfolder, as paths in it.
    func walk(_ name: String) -> [String] {
        let all = try? FileManager.default.subpathsOfDirectory(atPath: path(name))
        return (all ?? []).filter { !isFolder("\(name)/\($0)") }
    }

    /// The names of the folders in a subfolder.
    func folders(_ name: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path(name))
        return (names ?? []).filter { isFolder("\(name)/\($0)") }
    }

    private func isFolder(_ name: String) -> Bool {
        var status = stat()
        return stat(path(name), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
