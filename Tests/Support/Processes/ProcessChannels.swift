import CTestSupport
import Foundation
import Synchronization

/// The test's ends of a process's three pipes, and a descriptor for its end; owned by the pump's thread.
struct ProcessChannels: ~Copyable {
    /// The pipe to standard input; `nil` once it has ended, or was never a pipe.
    private var input: Descriptor?
    /// The pipe from standard output; `nil` at its end.
    private var output: Descriptor?
    /// The pipe from standard error; `nil` at its end.
    private var error: Descriptor?

    /// A descriptor that becomes readable when the process ends; `nil` once the end is known.
    private var end: Descriptor?

    /// No pipes: the process is on a terminal, which the terminal's pump reads.
    init(of process: pid_t) throws {
        end = try Descriptor(pidfd_open(process, 0), from: "pidfd_open")
    }

    /// Takes over the ends.
    init(
        of process: pid_t,
        input: consuming Descriptor?,
        output: consuming Descriptor?,
        error: consuming Descriptor?
    ) throws {
        try self.init(of: process)
        self.input = input
        self.output = output
        self.error = error
        self.input?.setNonBlocking()
        self.output?.setNonBlocking()
        self.error?.setNonBlocking()
    }

    /// Whether both outputs have ended.
    var hasNoOutput: Bool { output == nil && error == nil }

    /// Stops waiting for the process's end.
    mutating func noteEnd() {
        end = nil
    }

    /// Moves the available bytes, or waits for a short time for bytes or the process's end.
    mutating func exchange(with state: borrowing Mutex<ProcessState>, atMost wait: Duration) {
        let hasInput = state.withLock { !$0.pendingInput.isEmpty }
        // Poll skips negative descriptors.
        var polled = [
            pollfd(fd: output?.number ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: error?.number ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasInput ? input?.number ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: end?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, nfds_t(polled.count), Int32(wait / .milliseconds(1)))
        if polled[0].revents != 0, let read = Self.drain(&output) {
            state.withLock { $0.stdout += read }
        }
        if polled[1].revents != 0, let read = Self.drain(&error) {
            state.withLock { $0.stderr += read }
        }
        state.withLock { feed(&$0) }
    }

    /// Writes as much as the input pipe takes, and closes the pipe after the last byte.
    private mutating func feed(_ state: inout ProcessState) {
        if let number = input?.number, !state.pendingInput.isEmpty {
            let written = state.pendingInput.withUnsafeBytes {
                write(number, $0.baseAddress, $0.count)
            }
            if written > 0 {
                state.pendingInput = state.pendingInput.dropFirst(written)
            } else if errno != EAGAIN, errno != EINTR {
                state.isInputBroken = true
                state.pendingInput = []
                input = nil
            }
        }
        if state.isInputClosing, state.pendingInput.isEmpty { input = nil }
    }

    /// Reads once; at the end of the stream closes the descriptor and returns `nil`.
    private static func drain(_ descriptor: inout Descriptor?) -> [UInt8]? {
        guard let number = descriptor?.number else { return nil }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            count = read(number, buffer.baseAddress, buffer.count)
            initialized = max(count, 0)
        }
        if count > 0 { return bytes }
        if count == 0 || (errno != EAGAIN && errno != EINTR) { descriptor = nil }
        return nil
    }
}
