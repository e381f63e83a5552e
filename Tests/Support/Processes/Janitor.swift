import Foundation
import Synchronization

/// Cleans up after the test process, however it ends.
///
/// A shell reads orders from a pipe that only the test process holds open. When the pipe ends, by exit or
/// by a crash, the shell kills the registered processes and deletes the registered folders.
/// (`PR_SET_PDEATHSIG` does not work: it fires when the *thread* that started the child ends.)
final class Janitor: Sendable {
    /// The test process's janitor, started at the first order.
    static let shared = Janitor()

    /// The pipe's writing end; the lock keeps orders from interleaving.
    private let orders: Mutex<Descriptor?>

    private static let script = """
        trap '' HUP INT TERM PIPE
        processes=' ' folders=''
        while read -r order what; do
            case $order in
                kill) processes="$processes$what " ;;
                done) processes="${processes%% $what *} ${processes#* $what }" ;;
                delete) folders="$folders $what" ;;
            esac
        done
        for process in $processes; do kill -s KILL -- "-$process"; done
        for folder in $folders; do rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }; done
        """

    /// Starts a janitor that works when this object is destroyed.
    init() {
        orders = Mutex(try? Self.hire())
    }

    private static func hire() throws -> Descriptor {
        var pipe = try Pipe()
        let null = try Descriptor.open("/dev/null", O_RDWR)
        guard let writing = pipe.writing.take() else {
            throw TestSupportError.systemError("pipe2", code: EBADF)
        }
        let shell = Spawn(executable: "/bin/sh", arguments: ["-c", script, "janitor"])
        _ = try shell.start(input: pipe.reading, output: null, error: null)
        return writing
    }

    /// Kills a process and its group when the test process has ended.
    func killAtExit(_ process: pid_t) {
        order("kill \(process)\n")
    }

    /// Cancels `killAtExit(_:)` for a process that has been waited for.
    func forget(_ process: pid_t) {
        order("done \(process)\n")
    }

    /// Deletes a folder when the test process has ended; its path must not contain spaces.
    func deleteAtExit(_ folder: TemporaryFolder) {
        deleteAtExit(path: folder.path)
    }

    /// Deletes a file or folder when the test process has ended; its path must not contain spaces.
    func deleteAtExit(path: String) {
        order("delete \(path)\n")
    }

    private func order(_ line: String) {
        orders.withLock { pipe in
            guard let number = pipe?.number else { return }
            _ = Array(line.utf8).withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        }
    }
}
