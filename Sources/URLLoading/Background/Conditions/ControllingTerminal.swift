import Glibc

/// Whether somebody sits in front of this process.
enum ControllingTerminal {
    /// Whether the process has a terminal that controls it: without one it is in the background
    /// itself, and what it queues is discretionary.
    static var exists: Bool {
        let number = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return false }
        close(number)
        return true
    }
}
