/// What an answer said of its file, too weak to ask by: enough to notice that a second answer, a
/// moment later, is of another.
package struct EntitySighting: Sendable, Equatable {
    private let entityTag: String?
    private let lastModified: String?

    package init(_ fields: HTTPHeaderFields) {
        entityTag = fields.first("ETag")
        lastModified = fields.first("Last-Modified")
    }

    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        let other = EntitySighting(fields)
        return (other.entityTag != nil && other.entityTag != entityTag)
            || (other.lastModified != nil && other.lastModified != lastModified)
    }
}
