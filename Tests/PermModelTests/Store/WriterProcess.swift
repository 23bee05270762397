import Foundation

/// A process of its own that changes a store (`Tests/Support/StoreWriter`).
final class WriterProcess {
  private let process = Process()
  private let output = Pipe()
  private var rest = Data()

  /// - Parameter prefix: a program and its arguments that runs the writer, such as `runuser -u nobody --`.
  init(_ arguments: [String], prefix: [String] = []) throws {
    let words = prefix + [try WriterProcess.program()] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Ours is closed, so that the end of the process is the end of the output.
    try output.fileHandleForWriting.close()
  }

  /// The next line it prints; `nil` at its end.
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

  /// Waits for its end, and gives all lines that were not read.
  func end() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  var status: Int32 { process.terminationStatus }

  /// The writer lies where the tests were built, beside the bundle that the tests run from.
  private static func program() throws -> String {
    for argument in CommandLine.arguments {
      guard let bundle = argument.range(of: #"/[^/]*\.xctest"#, options: .regularExpression) else { continue }
      return String(argument[..<bundle.lowerBound]) + "/StoreWriter"
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
