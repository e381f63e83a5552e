import CTestSupport
import Foundation
import Synchronization

/// The thread that reads the output of a pseudo-terminal, as a window would.
final class TerminalPump: Sendable {
    /// The received output.
    struct State {
        var screen: TerminalScreen
        var bytes: [UInt8] = []
        var isStopped = false
    }

    /// The path of the programs' side.
    let path: String
    let state: Mutex<State>
    /// The window's side.
    private let window: Descriptor
    /// The programs' side, kept open: without a process on it reading fails.
    private let device: Descriptor

    /// Opens both sides, and starts the thread.
    init(columns: Int, rows: Int) throws {
        window = try Descriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), from: "posix_openpt")
        guard grantpt(window.number) == 0, unlockpt(window.number) == 0 else {
            throw TestSupportError.lastSystemError("unlockpt")
        }
        var name = [CChar](repeating: 0, count: 64)
        guard ptsname_r(window.number, &name, name.count) == 0 else {
            throw TestSupportError.lastSystemError("ptsname_r")
        }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        device = try Descriptor.open(path, O_RDWR | O_NOCTTY)
        window.setNonBlocking()
        state = Mutex(State(screen: TerminalScreen(columns: columns, rows: rows)))
        try setSize(columns: columns, rows: rows)
        Thread.detachNewThread { [self] in run() }
    }

    /// Ends the thread; the read output remains.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Writes the bytes of a keyboard.
    func type(_ bytes: [UInt8]) throws {
        guard write(window.number, bytes, bytes.count) == bytes.count else {
            throw TestSupportError.lastSystemError("write to \(path)")
        }
    }

    /// Stops or restarts the output.
    func flow(_ action: Int32) throws {
        guard tcflow(device.number, action) == 0 else {
            throw TestSupportError.lastSystemError("tcflow")
        }
    }

    /// Changes the size, of the screen and for the programs.
    func resize(columns: Int, rows: Int) throws {
        try state.withLock { state in
            // The output for the old size is read first.
            read(into: &state)
            state.screen.resize(columns: columns, rows: rows)
            try setSize(columns: columns, rows: rows)
        }
    }

    private func setSize(columns: Int, rows: Int) throws {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        guard ioctl(window.number, UInt(TIOCSWINSZ), &size) == 0 else {
            throw TestSupportError.lastSystemError("TIOCSWINSZ")
        }
    }

    private func run() {
        while !state.withLock({ $0.isStopped }) {
            var polled = pollfd(fd: window.number, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 50)
            state.withLock { read(into: &$0) }
        }
    }

    /// Reads the available output, which is little: a pseudo-terminal buffers about 4 KiB.
    private func read(into state: inout State) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Foundation.read(window.number, &buffer, buffer.count)
        guard count > 0 else { return }
        state.bytes += buffer[..<count]
        state.screen.feed(buffer[..<count])
    }
}
