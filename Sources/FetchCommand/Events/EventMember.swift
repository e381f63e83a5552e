/// A value under its label.
struct EventMember: Sendable {
    let label: String
    var value: EventValue

    init(_ label: String, _ value: EventValue) {
        self.label = label
        self.value = value
    }
}
