/// What a connection is known by while it is there: where it leads, and its own port.
struct ConnectionName: Hashable {
    let address: String
    let port: CInt
    let ownPort: CInt
}
