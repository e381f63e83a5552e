/// Values by number, in pages.
///
/// A change of one value in a copy copies one page only. So a state machine can keep its previous state at
/// each step.
struct NumberedTable<Value> {
    private static var pageBits: Int { 7 }

    private var pages: [Int: [Int: Value]] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All numbers, in no order.
    var keys: [Int] { map(\.key) }

    /// All values, in no order.
    var values: [Value] { map(\.value) }

    subscript(number: Int) -> Value? {
        get { pages[number >> Self.pageBits]?[number] }
        _modify {
            let page = number >> Self.pageBits
            var value = pages[page]?[number]
            let isThere = value != nil
            defer {
                count += (value == nil ? 0 : 1) - (isThere ? 1 : 0)
                if isThere || value != nil { pages[page, default: [:]][number] = value }
                if pages[page]?.isEmpty == true { pages[page] = nil }
            }
            yield &value
        }
    }
}

extension NumberedTable: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: Int, value: Value)> {
        pages.values.joined().makeIterator()
    }
}

extension NumberedTable: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (Int, Value)...) {
        for (number, value) in elements { self[number] = value }
    }
}

extension NumberedTable: Equatable where Value: Equatable {}
extension NumberedTable: Hashable where Value: Hashable {}
extension NumberedTable: Sendable where Value: Sendable {}
