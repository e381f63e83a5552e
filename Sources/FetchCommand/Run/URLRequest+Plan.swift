import FoundationEssentials
import URLLoading

extension URLRequest {
    /// The request that a task's plan makes, without its body.
    ///
    /// `nil` if Foundation refuses the address, which the plan excludes.
    init?(_ plan: borrowing TaskPlan) {
        guard let url = URL(string: plan.address.text) else { return nil }
        self.init(url: url)
        httpMethod = plan.method.name
        httpRequestTarget = plan.requestTarget
        mainDocumentURL = url
        for field in plan.headers { addValue(field.value, forHTTPHeaderField: field.name) }
    }
}
