import TestSupport

/// A file, link, FIFO or folder that is planted, and its owner.
enum Planted: String, CaseIterable, Sendable {
    case theirFile
    case theirLinkToVictim
    case theirLinkOutside
    case theirLinkToTheirs
    case theirLinkToNowhere
    case theirFIFO
    case theirSocket
    case theirDevice
    case theirFolder
    /// A second name of the user's file, made by the other user.
    case hardLinkOfVictim
    /// A link of the folder's owner.
    case rootLink
    case ownPrivateFile
    /// A file of the user's that all users may write and execute.
    case ownOpenFile
    case ownLinkOutside
    case ownLinkToNowhere
    case ownFIFO
    case ownFolder

    /// Whether it belongs to a user other than the folder owner.
    var isForeign: Bool { rawValue.hasPrefix("their") }

    /// Whether it is another user's link.
    var isForeignLink: Bool { rawValue.hasPrefix("theirLink") }

    /// Whether it can exist: other users cannot write to the user's own folder.
    func isPossible(in kind: SharedFolder, of user: TestAccount) -> Bool {
        switch self {
        case .rootLink: kind.isShared && user != .root
        case .theirFile, .theirFIFO, .theirLinkOutside: true
        case _ where isForeign: kind.isShared
        default: true
        }
    }

    /// Plants it in the scene's folder.
    func plant(at name: String, in scene: SecondUserScene) throws {
        let folder = scene.folder
        let owner = isForeign ? TestAccount.other : self == .rootLink ? .root : scene.user
        try folder.plant(thing(in: scene), at: name, of: owner)
        // An older time than the server's.
        if case .file = thing(in: scene) { try folder.setModified(946_684_800, of: name) }
    }

    private func thing(in scene: SecondUserScene) -> PlantedThing {
        switch self {
        case .theirFile: .file(SecondUserScene.text("theirs"), mode: 0o777)
        case .theirLinkToVictim: .link(to: "victim")
        case .theirLinkOutside, .rootLink, .ownLinkOutside:
            .link(to: scene.outside.path("victim"))
        case .theirLinkToTheirs: .link(to: scene.theirs.path("target"))
        case .theirLinkToNowhere: .link(to: scene.outside.path("none"))
        case .ownLinkToNowhere: .link(to: "none")
        case .theirFIFO, .ownFIFO: .fifo
        case .theirSocket: .socket
        case .theirDevice: .device
        case .theirFolder, .ownFolder: .folder
        case .hardLinkOfVictim: .hardLink(to: scene.folder.path("victim"))
        case .ownPrivateFile: .file(SecondUserScene.text("mine"), mode: 0o600)
        case .ownOpenFile: .file(SecondUserScene.text("mine"), mode: 0o777)
        }
    }
}
