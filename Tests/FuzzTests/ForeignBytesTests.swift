import Foundation
import Testing

@testable import FuzzInputs

/// CI runs these under the address sanitizer. The readers check themselves, and end the process if they find a fault.
@Suite("The readers of foreign bytes")
struct ForeignBytesTests {
  /// Returns the inputs that are kept for a reader, in an order that is always the same.
  private func inputs(for target: Target) throws -> [[UInt8]] {
    let folder = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Fuzz/Corpus/\(target.rawValue)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }.map { Array(try Data(contentsOf: $0)) }
  }

  @Test("read or refuse all that the fuzzer has kept", arguments: Target.allCases)
  func kept(target: Target) throws {
    let inputs = try inputs(for: target)
    try #require(!inputs.isEmpty)
    for input in inputs { target.take(input) }
  }

  @Test("read or refuse it when it is damaged", arguments: Target.allCases)
  func damaged(target: Target) throws {
    let inputs = try inputs(for: target)
    var damage = Damage()
    for _ in 0..<500 { target.take(damage.damaged(inputs)) }
  }
}
