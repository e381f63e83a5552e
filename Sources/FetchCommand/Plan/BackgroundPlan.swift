import URLLoading

/// What `--background` makes of the command line.
struct BackgroundPlan: Equatable, Sendable {
    /// The session.
    let identifier: BackgroundIdentifier
    /// What it runs when all is done.
    let command: String?
    /// Whether it waits for a good time.
    let isDiscretionary: Bool
    /// The tries in a row that may fail; nil: any number.
    let tries: Int?
    /// The bytes that a body may have; nil: any number.
    let maxFileSize: Int64?
}

extension BackgroundPlan {
    /// Takes the flags over; a session without a name is given one.
    init?(_ options: Options, _ answers: AnswerPlan) throws(PlanError) {
        guard options.background else { return nil }
        if let identifier = options.identifier {
            self.identifier = identifier
        } else {
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            let padding = String(repeating: "0", count: 8 - digits.count)
            do throws(BackgroundError) {
                identifier = try BackgroundIdentifier("fetch-\(padding)\(digits)")
            } catch {
                throw .usage(
                    .invalidValue(
                        flag: "--background",
                        value: nil,
                        reason: "\(error)",
                        hint: nil
                    )
                )
            }
        }
        command = options.onComplete
        isDiscretionary = options.isDiscretionary
        tries = options.given.contains("--tries") ? options.session.retries.tries : nil
        maxFileSize = answers.maxFileSize
    }
}
