import TestSupport

extension PlantedCase {
    /// The planted files at the names of the part and of its resume data when the run begins.
    static func parts(_ user: TestAccount, _ kind: SharedFolder) -> [PlantedCase] {
        let besides: [Planted] = [.theirFile, .theirLinkToVictim, .theirFIFO, .ownLinkOutside]
        let inPlace =
            besides + [
                .theirLinkToNowhere, .theirFolder, .hardLinkOfVictim, .ownPrivateFile, .ownFIFO,
                .ownFolder,
            ]
        let few: [Asked] = [.output, .outputContinued, .ownName]
        let many = few + [.outputOfHead, .outputOfPost, .ownNameTimestamped, .serverName]
        let places = [
            ("name.part", inPlace, many),
            ("name.part.resume", besides + [.ownPrivateFile], few),
            ("name.part.resume~", besides + [.ownPrivateFile], few),
        ]
        return places.flatMap { name, planted, asked in
            planted.filter { $0.isPossible(in: kind, of: user) }.flatMap { planted in
                asked.map { asked in
                    PlantedCase(
                        user: user,
                        kind: kind,
                        planted: planted,
                        asked: asked,
                        name: name,
                        allowed: name == "name.part"
                            ? part(planted, asked)
                            : [.untouched(saying: "was not left by a download")]
                    )
                }
            }
        }
    }

    /// fetch does not change a planted file that is not the part of a download.
    private static func part(_ planted: Planted, _ asked: Asked) -> [Outcome] {
        switch planted {
        // fetch compares it with the server's file, finds a difference, and starts over.
        case .ownPrivateFile where asked.continues: [.made(), .made(mode: 0o600)]
        case .ownPrivateFile where asked.isNumbered:
            [.untouched(saying: "was not left by a download"), .numbered]
        case .ownPrivateFile: [.untouched(saying: "was not left by a download")]
        default: asked.isNumbered ? [.untouched(), .numbered] : [.untouched()]
        }
    }
}
