import Foundation

/// Golden screens: text files in the `Goldens` folder of the test target that uses them.
///
/// `PERMTUI_UPDATE_GOLDENS=1 swift test` rewrites them; the commit's diff then shows the changes.
public enum Golden {
  /// Compares a screen with the golden of this name.
  ///
  /// - Parameters:
  ///   - name: The file's name without `.txt`, with a folder for its subject, as in `alert/80x24`.
  ///   - file: The test's source file.
  /// - Throws: ``GoldenMismatch`` with both screens if they differ or there is no golden.
  public static func check(_ picture: ScreenPicture, _ name: String, file: String = #filePath) throws {
    try check(text: picture.description, name, file: file)
  }

  /// Compares any text, such as a dialogue in plain mode, with the golden of this name.
  public static func check(text: String, _ name: String, file: String = #filePath) throws {
    try check(text, against: folder(for: file).appending(path: name + ".txt"), name)
  }

  /// Compares an example in the documentation with the program's present output.
  ///
  /// - Parameter path: The documentation's file, relative to the package's root.
  public static func check(document text: String, _ path: String, file: String = #filePath) throws {
    let root = folder(for: file).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    try check(text, against: root.appending(path: path), path)
  }

  private static func check(_ text: String, against golden: URL, _ name: String) throws {
    if isUpdating {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: golden, atomically: true, encoding: .utf8)
      return
    }
    let expected = try? String(contentsOf: golden, encoding: .utf8)
    guard expected == text else {
      throw GoldenMismatch(name: name, expected: expected, actual: text)
    }
  }

  /// Returns `Tests/SomeTests/Goldens` for any file below `Tests/SomeTests`.
  private static func folder(for file: String) -> URL {
    var folder = URL(filePath: file).deletingLastPathComponent()
    while folder.deletingLastPathComponent().lastPathComponent != "Tests", folder.pathComponents.count > 2 {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "Goldens")
  }

  private static var isUpdating: Bool {
    ProcessInfo.processInfo.environment["PERMTUI_UPDATE_GOLDENS"] == "1"
  }
}

/// A screen that differs from its golden.
public struct GoldenMismatch: Error, CustomStringConvertible {
  public let name: String
  /// Nil if there is no golden of this name.
  public let expected: String?
  public let actual: String

  public var description: String {
    guard let expected else {
      return "There is no golden '\(name)'. PERMTUI_UPDATE_GOLDENS=1 writes it. The screen:\n\(actual)"
    }
    let before = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let after = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let changed = zip(before, after).enumerated().filter { $1.0 != $1.1 }
      .map { "line \($0 + 1)\n  expected \($1.0)\n  but was  \($1.1)" }
    let lengths = before.count == after.count ? [] : ["\(before.count) lines expected, \(after.count) seen"]
    return "The screen differs from golden '\(name)':\n"
      + (changed + lengths).joined(separator: "\n") + "\nThe whole screen:\n\(actual)"
  }
}
