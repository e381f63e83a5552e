/// What a handler may ask of the loop for its own transfer, while the loop is calling it.
public protocol TransferControl: AnyObject {
    /// Goes on after ``ReceiveVerdict/pause``. The piece may come before this returns.
    func resumeReceiving()

    /// Lets the handler go once its transfer has ended. Until it is called, a handler whose
    /// transfer has ended is kept and can be woken.
    func release()
}
