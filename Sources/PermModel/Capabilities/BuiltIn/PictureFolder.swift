import Machine

/// The pictures below a folder, recognized by their file extensions.
struct PictureFolder {
  let path: String
  private let fileSystem = FileSystem()

  init(_ path: String) { self.path = path }

  private static let endings: Set<String> = [
    "jpg", "jpeg", "png", "gif", "heic", "heif", "webp", "avif", "tif", "tiff", "bmp", "svg", "dng", "cr2",
    "cr3", "nef", "arw", "orf", "rw2", "raf", "jxl",
  ]

  /// Returns the number of pictures as a string. If counting stops at the limit, the string begins with "more than".
  func count(limit: Int = 100_000) -> String {
    var count = 0
    let isComplete = visit { _ in
      count += 1
      return count < limit
    }
    return isComplete ? count.grouped : "more than \((max(count, 1) - 1).grouped)"
  }

  /// Returns the number of pictures that were last changed at `oldest` or later, or the number of all
  /// pictures if `oldest` is `nil`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before counting is complete.
  func count(since oldest: Timestamp?) throws -> Int {
    var count = 0
    visit { path in
      if let oldest, !isChanged(path, since: oldest) { return true }
      count += 1
      return true
    }
    try Task.checkCancellation()
    return count
  }

  private func isChanged(_ file: String, since oldest: Timestamp) -> Bool {
    fileSystem.entry(at: file).map { $0.modified >= oldest.microseconds } ?? false
  }

  /// Calls a closure with the path of each picture. Ends early and returns `false` if the task is cancelled or
  /// the closure returns `false`.
  @discardableResult
  func visit(_ visit: (String) -> Bool) -> Bool {
    fileSystem.visitFiles(below: path) { file in
      Self.isPicture(file) ? visit(file) : true
    }
  }

  static func isPicture(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }
}

extension Int {
  /// The decimal number with a space between groups of three digits, for example `1 204`.
  var grouped: String {
    var digits = Array(String(magnitude))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(" ", at: place) }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
