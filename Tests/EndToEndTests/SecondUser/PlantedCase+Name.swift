import Glibc
import TestSupport

extension PlantedCase {
    /// The planted files at the file's own name when the run begins.
    static func existing(_ user: TestAccount, _ kind: SharedFolder) -> [PlantedCase] {
        Planted.allCases.filter { $0.isPossible(in: kind, of: user) }.flatMap { planted in
            Asked.allCases.filter { $0.isOfUse(planted) }.map { asked in
                PlantedCase(
                    user: user,
                    kind: kind,
                    planted: planted,
                    asked: asked,
                    allowed: existing(planted, asked, user, kind)
                )
            }
        }
    }

    private static func existing(
        _ planted: Planted,
        _ asked: Asked,
        _ user: TestAccount,
        _ kind: SharedFolder
    ) -> [Outcome] {
        if asked.isNumbered { return [.numbered] }
        if !asked.isNamedByUser { return derived(planted, asked, user, kind) }
        switch planted {
        case .theirFile where kind.isShared || asked.continues: return [.refused()]
        // Only the user can have created it there; it may be replaced, but not written to.
        case .theirFile: return [.made(), .refused()]
        case .theirFIFO, .theirSocket, .theirDevice:
            // -c and -N need a regular file.
            let isPlain = ![.outputContinued, .outputTimestamped].contains(asked)
            if !isPlain { return [.refused(), .conflict] }
            // Only the user or root can have created it there, so it is the user's chosen destination.
            return kind.isShared ? [.refused()] : [.delivered, .refused()]
        case _ where planted.isForeignLink && !kind.isShared: return [.refused(), .followed()]
        case _ where planted.isForeign: return [.refused()]
        case .hardLinkOfVictim: return [.made(mode: 0o640), .made(), .refused()]
        case .rootLink, .ownLinkOutside: return [.followed()]
        case .ownLinkToNowhere: return [.made()]
        case .ownFIFO where asked == .outputContinued || asked == .outputTimestamped:
            return [.refused(), .conflict]
        case .ownFIFO: return [.delivered]
        case .ownFolder: return [.refused()]
        default: return [kept(planted, user, kind)]
        }
    }

    /// The URL's own name, with `-N` or `-c`: fetch follows no link of any owner.
    private static func derived(
        _ planted: Planted,
        _ asked: Asked,
        _ user: TestAccount,
        _ kind: SharedFolder
    ) -> [Outcome] {
        switch planted {
        case .theirFile where !kind.isShared && !asked.continues: return [.made(), .refused()]
        case .ownLinkOutside, .rootLink: return [.refused(saying: "-O")]
        case .ownLinkToNowhere:
            return [.refused(saying: "-O"), asked.continues ? .numbered : .made()]
        // Where others can write, -O would not follow it either.
        case _ where planted.isForeignLink: return [.refused(saying: kind.isShared ? "" : "-O")]
        case .ownFIFO where !asked.continues: return [.refused(), .made()]
        case .theirFIFO where !asked.continues && !kind.isShared: return [.refused(), .made()]
        case .hardLinkOfVictim: return [.made(mode: 0o640), .made(), .numbered, .refused()]
        case .theirFolder, .ownFolder: return [.refused(), .refusedAtEnd]
        case .ownPrivateFile, .ownOpenFile: return [kept(planted, user, kind)]
        default: return [.refused()]
        }
    }

    /// The user's own old file gives mode and group, without bits for others where others can write.
    private static func kept(
        _ planted: Planted,
        _ user: TestAccount,
        _ kind: SharedFolder
    ) -> Outcome {
        let mode: mode_t = planted == .ownPrivateFile ? 0o600 : 0o777
        return .made(mode: kind.isShared ? mode & 0o755 : mode, group: user.group)
    }

    /// The planted files that appear at the file's name during the download.
    static func coming(_ user: TestAccount, _ kind: SharedFolder) -> [PlantedCase] {
        let firsts: [Planted?] = [nil, .ownPrivateFile]
        let planted: [Planted] = [
            .theirFile, .theirLinkToVictim, .theirLinkOutside, .theirFIFO, .theirFolder,
            .ownPrivateFile,
        ]
        return firsts.flatMap { first in
            // In a sticky folder other users cannot replace the user's file.
            let those = first == nil ? planted : kind == .sticky ? [] : planted.filter(\.isForeign)
            return those.flatMap { planted in
                Asked.allCases.filter { $0.isOfUse(planted, after: first) }.map { asked in
                    PlantedCase(
                        user: user,
                        kind: kind,
                        planted: planted,
                        asked: asked,
                        isLate: true,
                        first: first,
                        allowed: coming(planted, asked)
                    )
                }
            }
        }
    }

    private static func coming(_ planted: Planted, _ asked: Asked) -> [Outcome] {
        switch asked {
        case .ownName, .serverName: [.numbered, .refusedAtEnd]
        case .ownNameTimestamped, .ownNameContinued:
            planted.isForeign
                ? [.refusedAtEnd, .numbered] : [.made(), .numbered, .refusedAtEnd]
        // The response to a POST is not continued, and no part of it is kept.
        case .outputOfPost: planted.isForeign ? [.untouched(), .refusedAtEnd] : [.made()]
        default: planted.isForeign ? [.refusedAtEnd] : [.made(), .refusedAtEnd]
        }
    }
}

extension Outcome {
    fileprivate static func followed() -> Outcome {
        .followed(target: "outside/victim", mode: 0o640)
    }
}

extension Asked {
    /// Whether the case shows more than the other cases.
    fileprivate func isOfUse(_ planted: Planted) -> Bool {
        let few: [Planted] = [.theirFile, .theirLinkOutside, .theirFIFO, .ownOpenFile]
        let isOdd = [.theirSocket, .theirDevice, .ownFolder].contains(planted)
        return switch self {
        case .output, .ownNameTimestamped: true
        case .outputByPath: [.theirFile, .theirLinkOutside].contains(planted)
        case .outputOfHead, .outputOfPost:
            few.contains(planted) || [.ownLinkOutside, .ownFIFO].contains(planted)
        case .outputTimestamped, .serverName: few.contains(planted)
        default: !isOdd
        }
    }

    /// The same for files that are planted late; where a file exists already, a number is not late.
    fileprivate func isOfUse(_ planted: Planted, after first: Planted?) -> Bool {
        first == nil
            ? ![.outputByPath, .outputOfHead, .outputTimestamped].contains(self)
            : [.output, .outputOfPost, .ownNameTimestamped].contains(self)
    }
}
