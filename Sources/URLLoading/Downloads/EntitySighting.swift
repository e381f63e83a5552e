/// What an answer said of its file, too weak to ask by: enough to notice that a second answer, a
/// moment later, is of another.
package struct EntitySighting: Sendable, Equatable {
    private let entityTag: ExactText?
    private let lastModified: ExactText?

    package init(_ fields: HTTPHeaderFields) {
        entityTag = fields.first("ETag").map { ExactText($0) }
        lastModified = fields.first("Last-Modified").map { ExactText($0) }
    }

    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        let other = EntitySighting(fields)
        return (other.entityTag != nil && other.entityTag != entityTag)
            || (other.lastModified != nil && other.lastModified != lastModified)
    }
}
