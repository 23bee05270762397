extension Subject {
  private static let app = "app:"
  private static let site = "https://"

  /// Whether a text has the form of a subject for which another program vouches. No program can use such a text as its
  /// label.
  package static func isVouchedForm(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix(app) || text.hasPrefix(site)
  }

  /// Creates the subject of a program for which another program vouches: an app such as `app:org.example.Cam`, or a
  /// site such as `https://example.org`. Its text takes the place of a path, so it is never unbound, and no file can be
  /// mistaken for it.
  ///
  /// - Returns: `nil` if the text is neither, or is not in its usual spelling.
  package init?(vouched text: String) {
    guard Self.isApp(text) || Self.isSite(text) else { return nil }
    self.init(label: text, path: text)
  }

  /// Whether another program vouches for this one. The address of a script begins in the same way, but also has a
  /// path.
  package var isVouched: Bool { path.map { Self.isApp($0) || Self.isSite($0) } ?? false }

  /// Whether the program that vouches does not know which app asks.
  package var isNamelessApp: Bool { path == Self.app }

  /// The name as the program that vouches says it, for example `org.example.Cam`.
  package var vouchedName: String {
    isNamelessApp
      ? "an app without a name" : label.hasPrefix(Self.app) ? String(label.dropFirst(Self.app.count)) : label
  }

  private static func isApp(_ text: String) -> Bool {
    text.hasPrefix(app)
      && text.dropFirst(app.count).utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func isSite(_ text: String) -> Bool {
    guard text.hasPrefix(site) else { return false }
    let parts = text.dropFirst(site.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first.map(String.init), (try? Host(name))?.name == name, parts.count <= 2 else {
      return false
    }
    return parts.count == 1 || UInt16(parts[1]).map { $0 > 0 && String($0) == parts[1] } == true
  }
}
