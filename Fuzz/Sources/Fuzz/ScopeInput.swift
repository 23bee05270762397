@testable import PermModel

/// Scopes in their text form, one per line. The first byte chooses their kind.
enum ScopeInput {
  static func take(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let kind = Scope.Kind.allCases[Int(first) % Scope.Kind.allCases.count]
    let texts = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: "\n", maxSplits: 3)
    let scopes = texts.compactMap { try? Scope($0, kind: kind) }
    for scope in scopes {
      checkForms(scope, kind)
      for other in scopes { checkOrder(scope, other) }
    }
  }

  /// Checks that each form of a scope reads back as the same scope, and that the text form is one visible line.
  private static func checkForms(_ scope: Scope, _ kind: Scope.Kind) {
    precondition((try? Scope(scope.text, kind: kind)) == scope, "the text form reads otherwise")
    precondition(
      scope.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "a control character")
    precondition(Scope(key: scope.key) == scope, "the key reads otherwise")
    precondition(scope == .any || (try? ScopeFields(scope).scope()) == scope, "the fields read otherwise")
    precondition(
      scope.candidateKeys == scope.candidates.map { $0.key[...] }, "the keys are not those of the candidates")
    precondition(!scope.words.isEmpty)
  }

  /// Checks that the store finds a scope that covers another one, in both directions.
  private static func checkOrder(_ wide: Scope, _ narrow: Scope) {
    let isCovered = wide.covers(narrow)
    precondition(
      narrow.candidates.contains(wide) == isCovered, "the candidates are not what covers the scope")
    guard isCovered else { return }
    let (inside, key) = (wide.keysInside, narrow.key)
    let isInside = !key.lexicographicallyPrecedes(inside.first) && key.lexicographicallyPrecedes(inside.after)
    precondition(isInside, "a covered scope lies outside of the range of keys")
    precondition(wide == narrow || !narrow.covers(wide), "two scopes cover each other")
  }
}
