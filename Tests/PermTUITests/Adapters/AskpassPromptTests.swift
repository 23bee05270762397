import PermModel
import Testing

@testable import PermTUI

@Suite("The questions of ssh, as OpenSSH 9.2 words them")
struct AskpassPromptTests {
  private static let fingerprint = "SHA256:K0MAsWfvyQDjf2fpvF/AGL3wr4ySBEE9/jknpMhVbjk"

  private func read(_ text: String, _ kind: String? = "confirm") -> AskpassPrompt {
    AskpassPrompt(kind: kind, text: text)
  }

  @Test("A key has a comment, a fingerprint and perhaps a destination")
  func keys() {
    let use = AskpassPrompt.KeyUse(comment: "ana@laptop", fingerprint: Self.fingerprint, destination: "")
    let text = "Allow use of key ana@laptop?\nKey fingerprint \(Self.fingerprint)."
    #expect(read(text) == .key(use))
    var bound = use
    bound.destination = "public key authentication request for user \"root\" to listed host"
    #expect(read(text + "\n" + bound.destination) == .key(bound))
    // The comment is any text.
    let odd = read("Allow use of key a?\nb?\nKey fingerprint \(Self.fingerprint).")
    #expect(odd == .key(.init(comment: "a?\nb", fingerprint: Self.fingerprint, destination: "")))
  }

  @Test("If the comment or the remote user's name contains a second fingerprint, no key is read")
  func twoFingerprints() {
    let other = "?\nKey fingerprint SHA256:other."
    let text = "Allow use of key ana?\nKey fingerprint \(Self.fingerprint)."
    #expect(read("Allow use of key ana\(other)\(text.dropFirst("Allow use of key ana".count))") == .unclear)
    #expect(read("\(text)\nfor user \"a\(other)\"") == .unclear)
  }

  @Test(
    "An incomplete prompt is not read",
    arguments: [
      "Allow use of key a?", "Allow use of key a?\nKey fingerprint .",
      "Allow use of key a?\nKey fingerprint SHA256:.",
      "Allow use of key a?\nKey fingerprint SHA256:a", "Allow use of key a?\nKey fingerprint SHA256:a b.",
      "Allow use of key a?\nKey fingerprint WORD:a.", "allow use of key a?\nKey fingerprint SHA256:a.", "",
      "Allow shared connection to ana@host? ", "Allow shared connection to ? ",
      "Allow shared connection to host",
      "Terminate shared connection to host? ",
    ])
  func incomplete(_ text: String) {
    #expect(read(text) == .unclear)
  }

  @Test("A question counts only with the kind that ssh states", arguments: [nil, "none", "confirm", "other"])
  func kinds(_ kind: String?) {
    let key = read("Allow use of key ana?\nKey fingerprint \(Self.fingerprint).", kind)
    let host = read(Self.unknownHost("host (192.0.2.1)"), kind)
    #expect((kind == "none") == (key == .notice))
    if kind != "confirm", kind != "none" { #expect(key == .other) }
    if kind != nil, kind != "none" { #expect(host == (kind == "confirm" ? .unclear : .other)) }
  }

  @Test("A shared connection has a host")
  func sharedConnection() throws {
    let host = try Host("example.org")
    #expect(read("Allow shared connection to Example.org? ") == .sharedConnection(.host(host)))
  }

  private static func unknownHost(_ name: String) -> String {
    """
    The authenticity of host '\(name)' can't be established.
    ED25519 key fingerprint is \(fingerprint).
    This key is not known by any other names.
    Are you sure you want to continue connecting (yes/no/[fingerprint])? 
    """
  }

  @Test(
    "An unknown host has a port, and its fingerprint is among the details",
    arguments: [
      ("example.org (192.0.2.1)", "example.org", 22), ("192.0.2.1", "192.0.2.1", 22),
      ("[::1]:2222 ([::1]:2222)", "::1", 2222),
      ("[example.org]:2222 ([192.0.2.1]:2222)", "example.org", 2222), ("::1 (::1)", "::1", 22),
    ] as [(String, String, UInt16)])
  func hosts(_ name: String, _ host: String, _ port: UInt16) throws {
    let details = "ED25519 key fingerprint is \(Self.fingerprint).\nThis key is not known by any other names."
    #expect(
      read(Self.unknownHost(name), nil) == .hostKey(.host(try Host(host), port: port), details: details))
  }

  @Test(
    "A host that could mean another one is not read",
    arguments: ["", "a b@c", "a@b", "[a]:0", "[a]:", "[a]", "[a]:22x", "a%20b", "a\\b", "x' can't"])
  func badHosts(_ name: String) {
    #expect(read(Self.unknownHost(name), nil) == .other)
  }
}
