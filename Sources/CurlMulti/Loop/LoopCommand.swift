/// What other threads may ask of a loop: values, never handles.
enum LoopCommand: Sendable {
    /// Starts a transfer; its handler is made on the loop's thread.
    case start(TransferID, TransferRequest, handler: @Sendable () -> any TransferHandler)
    /// Calls the handler's `didWake`.
    case wake(TransferID)
    /// Holds both directions, and the idle clock.
    case suspend(TransferID)
    /// Ends `suspend`.
    case resume(TransferID)
    /// Ends the transfer with `cancelled`.
    case cancel(TransferID)
    /// Gives libcurl a transfer for which another loop's has made room.
    case admit(TransferID)
    /// Changes the share of an HTTP/2 connection.
    case setWeight(TransferID, Int)
    /// Ends the thread once no transfer is left.
    case finish
}
