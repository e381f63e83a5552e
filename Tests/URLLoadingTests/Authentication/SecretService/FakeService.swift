import CSystemBus
import Glibc

@testable import URLLoading

/// The other end of a connection to a fake bus, as messages: sd-bus in the role of a bus.
struct FakeService {
    /// A test's response to a call.
    enum Response {
        /// A reply with these arguments.
        case reply((inout BusMessage) -> Void)
        /// A reply after a signal of an object.
        case signal(member: String, interface: String, path: String, (inout BusMessage) -> Void)
        /// An error with this name and the text `words`.
        case error(String)
        /// The closure's actions on the connection, which then ends.
        case end((_ connection: CInt) -> Void)
    }

    /// The client's own name, which a bus assigns.
    static var hello: Response { .reply { $0.append(":1.1") } }

    /// No response until the client closes.
    static var silence: Response {
        .end { connection in
            var client = pollfd(fd: connection, events: 0, revents: 0)
            _ = poll(&client, 1, -1)
        }
    }

    /// Responds to calls by their members until the client closes.
    static func serve(_ connection: CInt, _ respond: (_ member: String) -> Response) {
        guard let functions = MessageBus.load(MessageBus.libraryNames),
            let service = FakeService(functions),
            let bus = service.start(connection)
        else { return }
        while let call = try? bus.receive() {
            guard let member = service.member(call.pointer).map({ String(cString: $0) }) else {
                continue
            }
            var reply: OpaquePointer?
            switch respond(member) {
            case .reply(let write):
                _ = service.makeReply(call.pointer, &reply)
                service.send(reply, write)
            case .signal(let member, let interface, let path, let write):
                _ = service.makeSignal(service.bus(call.pointer), &reply, path, interface, member)
                service.send(reply, write)
                _ = service.makeReply(call.pointer, &reply)
                service.send(reply) { _ in }
            case .end(let act): return act(connection)
            case .error(let name):
                _ = service.makeError(call.pointer, &reply, name, "words")
                service.send(reply) { _ in }
            }
        }
    }

    private typealias Bus = OpaquePointer
    private typealias Message = OpaquePointer
    private typealias Text = UnsafePointer<CChar>
    private typealias Made = UnsafeMutablePointer<OpaquePointer?>

    private let functions: shim_sd_bus
    private let setDescriptors: @convention(c) (Bus, CInt, CInt) -> CInt
    /// The identifier of 16 bytes is passed by value, as two numbers.
    private let setServer: @convention(c) (Bus, CInt, UInt64, UInt64) -> CInt
    private let member: @convention(c) (Message) -> Text?
    private let bus: @convention(c) (Message) -> Bus
    private let makeReply: @convention(c) (Message, Made) -> CInt
    private let makeSignal: @convention(c) (Bus, Made, Text, Text, Text) -> CInt
    private let makeErrorOf: @convention(c) (Message, Made, UnsafePointer<sd_bus_error>) -> CInt

    /// Looks up the functions of sd-bus that a bus needs and its clients do not.
    private init?(_ functions: shim_sd_bus) {
        guard let library = MessageBus.libraryNames.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
            let setDescriptors = dlsym(library, "sd_bus_set_fd"),
            let setServer = dlsym(library, "sd_bus_set_server"),
            let member = dlsym(library, "sd_bus_message_get_member"),
            let bus = dlsym(library, "sd_bus_message_get_bus"),
            let makeReply = dlsym(library, "sd_bus_message_new_method_return"),
            let makeSignal = dlsym(library, "sd_bus_message_new_signal"),
            let makeError = dlsym(library, "sd_bus_message_new_method_error")
        else { return nil }
        self.functions = functions
        self.setDescriptors = unsafeBitCast(setDescriptors, to: Self.typeOf(\.setDescriptors))
        self.setServer = unsafeBitCast(setServer, to: Self.typeOf(\.setServer))
        self.member = unsafeBitCast(member, to: Self.typeOf(\.member))
        self.bus = unsafeBitCast(bus, to: Self.typeOf(\.bus))
        self.makeReply = unsafeBitCast(makeReply, to: Self.typeOf(\.makeReply))
        self.makeSignal = unsafeBitCast(makeSignal, to: Self.typeOf(\.makeSignal))
        makeErrorOf = unsafeBitCast(makeError, to: Self.typeOf(\.makeErrorOf))
    }

    private static func typeOf<Value>(_: KeyPath<FakeService, Value>) -> Value.Type { Value.self }

    private func start(_ connection: CInt) -> MessageBus? {
        var made: OpaquePointer?
        guard functions.sd_bus_new(&made) >= 0, let made else { return nil }
        let bus = MessageBus(made, functions, deadline: .now + .seconds(60))
        // The bus closes its own descriptor.
        let own = dup(connection)
        guard setDescriptors(made, own, own) >= 0, setServer(made, 1, 1, 1) >= 0,
            functions.sd_bus_start(made) >= 0
        else { return nil }
        return bus
    }

    private func makeError(_ call: Message, _ made: Made, _ name: String, _ words: String) -> CInt {
        name.withCString { name in
            words.withCString { words in
                var error = sd_bus_error(name: name, message: words, _need_free: 0)
                return makeErrorOf(call, made, &error)
            }
        }
    }

    private func send(_ message: OpaquePointer?, _ write: (inout BusMessage) -> Void) {
        guard let message else { return }
        var written = BusMessage(message, functions)
        write(&written)
        _ = functions.sd_bus_send(nil, message, nil)
    }
}
