/// Names a hop of a task, by their order.
struct HopID: Hashable, Sendable {
    let number: Int
}
