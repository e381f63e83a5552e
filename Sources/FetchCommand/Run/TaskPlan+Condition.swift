import FoundationEssentials
import URLLoading

// Whether the server has another file than the one that is here.
extension TaskPlan {
    /// What to ask by; `nil` where a file is fetched in any case.
    func condition(for file: FileDestination) -> FileCondition? {
        guard file.isTimestamped, let url else { return nil }
        return FileCondition(of: file.path, url: url)
    }

    /// What is kept with a file for the next time.
    func validator(
        of response: HTTPURLResponse?,
        for file: FileDestination
    ) -> StoredValidator? {
        // What a part or an error's page is known by says nothing of the file.
        guard file.isTimestamped, let url, let response, response.statusCode == 200 else {
            return nil
        }
        return StoredValidator(url, response.headerFields)
    }

    /// The URL as resume data has it.
    private var url: String? {
        URLRequest(self).flatMap { ResumeData.address(of: $0) }
    }
}

extension FileCondition {
    /// Has a request ask by it.
    func add(to request: inout URLRequest) {
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    }
}
