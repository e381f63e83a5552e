import FoundationEssentials
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
    /// The tasks at once; nil: as many as usual, or as the session has.
    let jobs: Int?
}

extension BackgroundPlan {
    /// Takes the flags over; a session without a name is given one.
    init?(_ options: Options) throws(PlanError) {
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
        if let path = options.loadedCookies, (try? FileFacts(path: path))?.kind == .other {
            throw .usage(
                .conflict(
                    "--background",
                    "--load-cookies",
                    reason: "the transfer process reads it later, so it must be a regular file"
                )
            )
        }
        command = options.onComplete
        isDiscretionary = options.isDiscretionary
        jobs = options.given.contains("--jobs") ? options.jobs : nil
        tries = options.given.contains("--tries") ? options.session.retries.tries : nil
    }
}

/// What `--attach` makes of the command line.
struct AttachPlan: Sendable {
    let identifier: BackgroundIdentifier
    let messages: MessagePlan
    let authentication: AuthenticationPlan

    /// The file that tells which events were told in earlier runs.
    var record: String? {
        if case .file(let path) = messages.events { path } else { nil }
    }
}

extension AttachPlan {
    /// Takes the flags over, and reads the secrets that they name.
    init(_ identifier: BackgroundIdentifier, _ options: Options) throws(PlanError) {
        do throws(UsageError) {
            try Conflicts.check(options)
        } catch {
            throw .usage(error)
        }
        self.identifier = identifier
        var told = options
        // Nothing is sent or received here: there are events alone.
        if options.verbosity == .verbose { told.verbosity = .everything }
        messages = MessagePlan(told, try EventDestination(options))
        authentication = try AuthenticationPlan(options)
    }
}

extension FileConventions {
    /// What the command has of its own about files, in its transfer processes as in the foreground.
    static var command: FileConventions {
        var conventions = FileConventions()
        conventions.name = { $0.contentDisposition.flatMap(FileName.from) }
        conventions.keepValidator = { file, request, response in
            // What a part or an error's page is known by says nothing of the file.
            guard response.statusCode == 200, let request,
                let url = ResumeData.address(of: request)
            else { return }
            StoredValidator(url, response.headerFields)?.write(to: file)
        }
        return conventions
    }
}
