public import Foundation
public import URLLoading

extension URLLoading.URLError: CustomNSError {
    /// The `userInfo` of `error as NSError`: the failing URL, the resume data and the description,
    /// under Foundation's keys.
    public var errorUserInfo: [String: Any] { userInfo }
}
