import Foundation
public import Testing

/// A property of the machine that a test needs and cannot make itself; without it the test is skipped.
///
/// `Scripts/test` counts the skipped tests by these words, right before the summary.
public enum Need: String, Sendable {
    case root = "root"
    case ordinaryUser = "a user other than root"
    case networks = "network namespaces"
    case mounts = "mount namespaces"
    case imageMounts = "mounts of images"

    /// Whether this machine has the property.
    fileprivate var isThere: Bool {
        switch self {
        case .root: geteuid() == 0
        case .ordinaryUser: geteuid() != 0
        case .networks: IsolatedNetwork.isPossible
        case .mounts: SmallDisk.isPossible
        case .imageMounts: SmallDisk.canBeImage
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where the machine lacks a property.
    public static func needs(_ need: Need) -> Self {
        .enabled("needs \(need.rawValue)") { need.isThere }
    }
}
