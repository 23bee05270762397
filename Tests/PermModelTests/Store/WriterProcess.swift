import Foundation

/// A separate process that changes a store (`Tests/Support/StoreWriter`).
final class WriterProcess {
  private let process = Process()
  private let output = Pipe()
  private var rest = Data()

  /// - Parameter prefix: A program with arguments that runs the writer, such as `runuser -u nobody --`.
  init(_ arguments: [String], prefix: [String] = []) throws {
    let words = prefix + [try WriterProcess.program()] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Our end is closed, so that the output ends with the process.
    try output.fileHandleForWriting.close()
  }

  /// Returns the next line that it prints; `nil` at its end.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end, and returns all unread lines.
  func end() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  var identifier: Int32 { process.processIdentifier }

  var status: Int32 { process.terminationStatus }

  /// Returns the path of the writer, which is beside the bundle that the tests run from.
  private static func program() throws -> String {
    for argument in CommandLine.arguments {
      guard let bundle = argument.range(of: #"/[^/]*\.xctest"#, options: .regularExpression) else { continue }
      return String(argument[..<bundle.lowerBound]) + "/StoreWriter"
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
