import FoundationEssentials
import URLLoading

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
