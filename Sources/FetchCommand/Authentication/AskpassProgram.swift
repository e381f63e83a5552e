import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A program that asks instead of the terminal: its argument is the question, and it prints the
/// reply.
enum AskpassProgram {
    /// Runs the program, and waits for its reply.
    ///
    /// - Parameters:
    ///   - program: its path, or a name that is looked for in `PATH`.
    ///   - question: its one argument.
    ///   - end: rings when no task needs the credential any more.
    /// - Returns: the first line that it prints; `nil` if it prints none, or fails.
    /// - Throws: `Errno` where it cannot be started.
    static func ask(
        _ program: String,
        _ question: String,
        until end: Doorbell
    ) throws(Errno) -> String? {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        let process: pid_t
        do {
            ends = try FileDescriptor.pipe()
            // A program that another thread starts at this moment must not inherit them.
            for descriptor in [ends.readEnd, ends.writeEnd] {
                linux_close_on_exec(descriptor.rawValue)
            }
            defer { try? ends.writeEnd.close() }
            process = try ProcessStart(
                program,
                [program, question],
                descriptors: [.null, .duplicate(ends.writeEnd), .same],
                group: .shared,
                inherits: true
            ).start()
        } catch {
            throw error as? Errno ?? .ioError
        }
        let line = read(from: ends.readEnd, until: end)
        // Closed before the wait: the program may print more than is read here.
        try? ends.readEnd.close()
        if line == nil { kill(process, SIGTERM) }
        // Where SIGCHLD is ignored (signal(7)) its exit status is lost.
        return Children.wait(for: process) ?? 0 == 0 ? line : nil
    }

    /// Its first line, once it has closed its output; `nil` where it printed none.
    private static func read(from output: FileDescriptor, until end: Doorbell) -> String? {
        var bytes: [UInt8] = []
        while true {
            var asked = [
                pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&asked, 2, -1) >= 0 || errno == EINTR else { return nil }
            if asked[1].revents != 0 { return nil }
            guard asked[0].revents != 0 else { continue }
            var space = [UInt8](repeating: 0, count: 4_096)
            let count = (try? space.withUnsafeMutableBytes { try output.read(into: $0) }) ?? 0
            // A password is shorter; the program prints something else.
            if count <= 0 { break }
            bytes += space[..<count]
            if bytes.count > 64 << 10 { return nil }
        }
        guard !bytes.isEmpty else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(validating: line, as: UTF8.self)
    }
}
