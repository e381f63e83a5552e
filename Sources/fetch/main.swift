import FoundationEssentials
import URLLoading
let session = URLSession(configuration: .default)
let (data, response) = try await session.data(from: URL(string: CommandLine.arguments[1])!)
print(data.count, (response as! HTTPURLResponse).statusCode)
let (file, _) = try await session.download(from: URL(string: CommandLine.arguments[1])!)
print(file)
var n = 0
let (bytes, _) = try await session.bytes(from: URL(string: CommandLine.arguments[1])!)
for try await _ in bytes { n += 1 }
print(n)
