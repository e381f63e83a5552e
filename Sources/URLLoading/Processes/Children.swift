import CLinux
import Dispatch
import Glibc
import Synchronization

/// The child processes of this process.
package enum Children {
    /// The unattended processes that may not have ended.
    ///
    /// A thread that waits for one of them holds the lock, because a process's number is only valid
    /// until a wait has returned.
    private static let unattended = Mutex<Set<Int32>>([])

    /// Waits for a process's end.
    ///
    /// - Parameter process: a child process that is not unattended.
    /// - Returns: the status of waitpid(2); `nil` where other code has waited for the process.
    package static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status
    }

    /// Makes a process unattended: no caller waits for it, and it is reaped after its end.
    ///
    /// If we cannot watch its end (pidfd_open(2) needs Linux 5.3, and may be forbidden), we reap it when the
    /// next process becomes unattended.
    ///
    /// - Parameter process: a child process that no caller waits for.
    package static func detach(_ process: Int32) {
        addUnattended(process)
        reap()
        let descriptor = linux_watch_process(process)
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor,
            queue: .global(qos: .utility)
        )
        // The handlers reference the source, and keep it alive.
        source.setEventHandler {
            reap()
            source.cancel()
        }
        source.setCancelHandler {
            withExtendedLifetime(source) {}
            close(descriptor)
        }
        source.activate()
    }

    /// Makes a process unattended without watching it.
    static func addUnattended(_ process: Int32) {
        unattended.withLock { _ = $0.insert(process) }
    }

    private static func reap() {
        unattended.withLock { unattended in
            unattended = unattended.filter { process in
                var status: Int32 = 0
                // If the process is no longer a child, other code has waited for it.
                return waitpid(process, &status, WNOHANG) == 0
            }
        }
    }
}
