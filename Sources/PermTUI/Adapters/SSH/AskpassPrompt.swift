import PermModel

/// A text that ssh, its agent or another program gives to an askpass program, as OpenSSH 9.2 words it.
enum AskpassPrompt: Hashable {
  /// The agent asks whether a key can be used.
  case key(KeyUse)
  /// ssh asks whether another ssh can use its connection to a host.
  case sharedConnection(Scope)
  /// ssh asks whether a host's key is the right one.
  case hostKey(Scope, details: String)
  /// A message that needs no answer.
  case notice
  /// A question for a yes that is not known, or that could be read in two ways.
  case unclear
  /// A question for a password, or another text that is not known.
  case other

  /// The use of a key that was added with `ssh-add -c`.
  struct KeyUse: Hashable {
    /// The name that the owner gave the key.
    var comment: String
    var fingerprint: String
    /// The agent's words about the destination; empty if there are none.
    var destination: String
  }

  /// - Parameters:
  ///   - kind: The value of `SSH_ASKPASS_PROMPT`; `nil` if it is not set.
  ///   - text: The first argument.
  init(kind: String?, text: String) {
    switch kind {
    case "none": self = .notice
    case "confirm":
      self = Self.keyUse(text).map(Self.key) ?? Self.sharedHost(text).map(Self.sharedConnection) ?? .unclear
    case nil: self = Self.hostKey(text) ?? .other
    default: self = .other
    }
  }

  // MARK: Keys

  private static let keyStart = "Allow use of key "
  private static let fingerprintStart = "?\nKey fingerprint "

  /// Reads the agent's question. The comment and the name of the remote user, which is part of the destination, are
  /// foreign. If one of them contains a second fingerprint, it is not known which of the two is the key's.
  private static func keyUse(_ text: String) -> KeyUse? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard text.hasPrefix(keyStart), lines.count(where: { $0.hasPrefix("Key fingerprint ") }) == 1,
      let start = text.firstRange(of: fingerprintStart)
    else { return nil }
    let comment = text[..<start.lowerBound].dropFirst(keyStart.count)
    let rest = text[start.upperBound...].split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard let line = rest.first, line.last == ".", isFingerprint(line.dropLast()) else { return nil }
    return KeyUse(
      comment: String(comment), fingerprint: String(line.dropLast()),
      destination: rest.count == 2 ? String(rest[1]) : "")
  }

  /// Whether a text is a fingerprint such as `SHA256:…` or `MD5:…`.
  private static func isFingerprint(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["SHA256", "SHA512", "SHA384", "SHA1", "MD5"].contains(parts[0]) else {
      return false
    }
    return !parts[1].isEmpty
      && parts[1].unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789+/:=".unicodeScalars.contains($0))
      }
  }

  // MARK: Hosts

  private static let sharedStart = "Allow shared connection to "

  private static func sharedHost(_ text: String) -> Scope? {
    guard text.hasPrefix(sharedStart), text.hasSuffix("? ") else { return nil }
    return (try? Host(String(text.dropFirst(sharedStart.count).dropLast(2)))).map { .host($0) }
  }

  private static let hostStart = "The authenticity of host '"
  private static let hostEnd = "' can't be established.\n"
  private static let hostQuestion = "\nAre you sure you want to continue connecting (yes/no"

  private static func hostKey(_ text: String) -> AskpassPrompt? {
    guard text.hasPrefix(hostStart), let end = text.firstRange(of: hostEnd),
      let question = text.firstRange(of: hostQuestion), end.upperBound <= question.lowerBound,
      let scope = hostScope(text[..<end.lowerBound].dropFirst(hostStart.count))
    else { return nil }
    return .hostKey(scope, details: String(text[end.upperBound..<question.lowerBound]))
  }

  /// Reads `host (address)` or `[host]:port ([address]:port)`. ssh leaves out the usual port.
  private static func hostScope(_ text: Substring) -> Scope? {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, address) = (parts[0], parts.dropFirst().first)
    if let address, !address.hasPrefix("(") || !address.hasSuffix(")") { return nil }
    guard name.hasPrefix("["), let close = name.lastIndex(of: "]") else {
      return (try? Host(String(name))).map { .host($0, port: 22) }
    }
    let port = name[name.index(after: close)...]
    guard port.hasPrefix(":"), let number = UInt16(port.dropFirst()), number > 0,
      let host = try? Host(String(name[name.index(after: name.startIndex)..<close]))
    else { return nil }
    return .host(host, port: number)
  }
}
