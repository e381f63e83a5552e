/// What is wrong with what came over a socket.
enum FrameError: Error, Hashable, Sendable {
    /// A frame announces more bytes than one may have.
    case tooLong(Int)
    /// It is none of the messages that there are.
    case garbled
}
