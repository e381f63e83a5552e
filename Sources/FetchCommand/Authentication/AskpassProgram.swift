import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A program that prompts the user in place of the terminal, as `SSH_ASKPASS` programs do.
enum AskpassProgram {
    /// The first line of the program's output; `nil` if there is none, or if the program fails.
    ///
    /// A name without a slash is searched for in `PATH`. `end` rings when no task needs the
    /// credential any more. Throws if the program cannot be started.
    static func ask(
        _ program: String,
        _ question: String,
        until end: Doorbell
    ) throws(Errno) -> String? {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        let process: pid_t
        do {
            ends = try FileDescriptor.pipe()
            // A process that another thread starts now must not inherit the pipe.
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
        // The pipe is closed before the wait, because the program may print more than is read here.
        try? ends.readEnd.close()
        guard let line else {
            kill(process, SIGTERM)
            // The program may ignore the signal, and other prompts wait for this one.
            Children.detach(process)
            return nil
        }
        // If SIGCHLD is ignored (signal(7)), the exit status is lost; it then counts as success.
        return Children.wait(for: process) ?? 0 == 0 ? line : nil
    }

    /// The first line of the output, read until end of file; `nil` if the output is empty.
    private static func read(from output: FileDescriptor, until end: Doorbell) -> String? {
        var bytes: [UInt8] = []
        while let piece = output.nextBytes(until: end) {
            if piece.isEmpty {
                guard !bytes.isEmpty else { return nil }
                let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                return String(validating: line, as: UTF8.self)
            }
            bytes += piece
            // No password is longer than 64 KiB; such output is something else.
            if bytes.count > 64 << 10 { return nil }
        }
        return nil
    }
}

extension FileDescriptor {
    /// The next bytes, at most 4 KiB; none at the end of input, `nil` on an error or at `end`.
    func nextBytes(until end: Doorbell) -> ArraySlice<UInt8>? {
        while true {
            var asked = [
                pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&asked, 2, -1) >= 0 || errno == EINTR else { return nil }
            if asked[1].revents != 0 { return nil }
            guard asked[0].revents != 0 else { continue }
            var space = [UInt8](repeating: 0, count: 4_096)
            let count = try? space.withUnsafeMutableBytes { try read(into: $0) }
            return count.map { space[..<$0] }
        }
    }
}
