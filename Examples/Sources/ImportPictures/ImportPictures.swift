import Operations
import PermModel

import class Foundation.FileManager

/// Copies pictures from one folder into another, except those that are already there.
struct ImportPictures: Operation {
  let source: String
  let destination: String

  /// - Returns: The number of copied pictures.
  func execute(_ context: OperationContext) async throws -> Int {
    let files = FileManager.default
    var count = 0
    for name in try files.contentsOfDirectory(atPath: source).sorted() where isPicture(name) {
      try Task.checkCancellation()
      let target = "\(destination)/\(name)"
      guard !files.fileExists(atPath: target) else { continue }
      try files.copyItem(atPath: "\(source)/\(name)", toPath: target)
      count += 1
    }
    return count
  }

  private func isPicture(_ name: String) -> Bool {
    [".jpg", ".jpeg", ".png", ".heic", ".webp"].contains { name.lowercased().hasSuffix($0) }
  }
}
