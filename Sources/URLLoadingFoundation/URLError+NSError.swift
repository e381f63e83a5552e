public import Foundation
public import URLLoading

extension URLLoading.URLError: CustomNSError {
    /// What `error as NSError` has for its `userInfo`: the failing URL, the resume data, and the words,
    /// under Foundation's keys.
    public var errorUserInfo: [String: Any] { userInfo }
}
