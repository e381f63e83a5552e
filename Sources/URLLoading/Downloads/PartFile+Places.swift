import CLinux
import Glibc
import Synchronization
import SystemPackage

// A file whose bytes come in any order.
extension PartFile {
    /// Writes all of it at an offset.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(URLError) {
        do {
            try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(path): \(error)")
        }
    }

    /// Says at the end of the file that it has holes, before it has any.
    ///
    /// May wait for the disk, where the file can be found by a later run of the program.
    ///
    /// - Parameters:
    ///   - mark: what says so.
    ///   - length: of the whole, bytes.
    /// - Throws: `cannotWriteToFile`.
    func write(_ mark: SplitMark, behind length: Int64) throws(URLError) {
        try Array(mark.text.utf8).withUnsafeBufferPointer { bytes throws(URLError) in
            try write(UnsafeRawBufferPointer(bytes), at: length)
        }
        guard !keepsResumeData || synchronize() else {
            throw URLError(.cannotWriteToFile, detail: "\(path): \(Errno(rawValue: errno))")
        }
    }

    /// Gives back what is set aside in these bytes.
    func punch(_ range: Range<Int64>) {
        linux_punch_hole(descriptor.rawValue, range.lowerBound, Int64(range.count))
    }
}
