import Synchronization

// What `URLSession.shared` asks, which has no configuration that could be changed.
extension URLProtocol {
    private static let registered = Mutex<[URLProtocol.Type]>([])

    /// Has ``URLSession/shared`` ask a class, before those that were registered earlier.
    ///
    /// - Parameter protocolClass: the class; registered twice, it counts once, as the last.
    /// - Returns: `true`.
    @discardableResult
    public class func registerClass(_ protocolClass: URLProtocol.Type) -> Bool {
        registered.withLock { classes in
            classes.removeAll { $0 == protocolClass }
            classes.insert(protocolClass, at: 0)
        }
        return true
    }

    /// Has ``URLSession/shared`` ask a class no more.
    public class func unregisterClass(_ protocolClass: URLProtocol.Type) {
        registered.withLock { $0.removeAll { $0 == protocolClass } }
    }

    /// The last registered first.
    static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0 } }
}
