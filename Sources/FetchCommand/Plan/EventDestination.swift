/// Where events go as JSON.
enum EventDestination: Equatable, Sendable {
    /// Where messages are then told as JSON too.
    case standardError
    /// Made or emptied; a FIFO or a device is written to.
    case file(path: String)
    /// One that was open when the program began.
    case descriptor(CInt)
}
