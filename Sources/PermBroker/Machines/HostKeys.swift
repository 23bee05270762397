import FoundationEssentials
import PermModel

/// The lines of a `known_hosts` file that belongs to PermTUI: the host keys of other machines, each under the alias that
/// ssh is told to use for it.
package struct HostKeys: Hashable, Sendable {
  /// One host key, without the name of its host.
  package struct Key: Hashable, Sendable {
    package var type: String
    package var base64: String

    /// The key's fingerprint, in the form in which `ssh-keygen -l` prints it.
    package var fingerprint: String {
      let digest = SHA256.digest(of: Array(Data(base64Encoded: base64) ?? Data()))
      let text = Data(digest).base64EncodedString()
      return "SHA256:" + text.prefix { $0 != "=" }
    }

    /// The key's type without the words that all types have, for example `ed25519`.
    package var shortType: String { type.hasPrefix("ssh-") ? String(type.dropFirst(4)) : type }
  }

  private struct Line: Hashable, Sendable {
    var host: String
    var key: Key
  }

  private var lines: [Line] = []

  package init() {}

  /// Reads a file. Lines that ssh would not have written are left out.
  package init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count >= 3, !line.hasPrefix("#"), Data(base64Encoded: String(words[2])) != nil else {
        continue
      }
      lines.append(
        Line(host: String(words[0]), key: Key(type: String(words[1]), base64: String(words[2]))))
    }
  }

  package var text: String {
    lines.map { "\($0.host) \($0.key.type) \($0.key.base64)\n" }.joined()
  }

  /// The alias by which ssh knows the keys of a machine.
  package static func alias(of name: RemoteName) -> String { "permtui-\(name.text)" }

  package subscript(name: RemoteName) -> [Key] {
    get { lines.filter { $0.host == Self.alias(of: name) }.map(\.key) }
    set {
      lines.removeAll { $0.host == Self.alias(of: name) }
      lines += newValue.map { Line(host: Self.alias(of: name), key: $0) }
    }
  }
}
