/// One named part of a capability, with its description in plain words.
public struct CapabilityPart: Hashable, Sendable {
  /// The part's name, which follows the colon in a reference, for example `reminders`.
  package var name: String
  /// The part's title in lists, for example `reminders`.
  package var title: String
  /// The words that complete the sentence "backup asks to …", for example `read your reminders`.
  package var action: String
  /// A sentence that says what access a program gets if this part is allowed.
  package var explanation: String
  /// The names of the parts that are also allowed when this part is allowed.
  package var implies: Set<String>
  /// The part's own severity; `nil` if the part has the severity of the capability. A severity lower than the
  /// capability's has no effect.
  package var severity: Severity?
  /// The kind of values for which the part is requested, such as paths. `nil` if the part takes no values.
  package var values: Scope.Kind?
  /// The words before a value, for example `connect to`. If it is `nil`, ``action`` and "in" stand before the value.
  package var valueAction: String?
  /// The word for a value, for example `variable`, if the kind of the values is not enough to tell.
  package var valueNoun: String?

  /// Whether the part can only be named together with a value, or with `*` for every value.
  package var needsValue: Bool { values != nil && (values != .name || valueAction != nil) }

  /// Defines a part.
  ///
  /// - Parameters:
  ///   - name: The name that a reference to the part contains.
  ///   - title: The words for the part in lists; by default, its name.
  ///   - values: The kind of values for which the part is requested; `nil` if it takes none.
  ///   - valueAction: The words before a value, for example `switch`.
  ///   - valueNoun: The word for a value, for example `light`. It is needed for names only.
  ///   - action: The words that complete the sentence "backup asks to …". If the part takes values, they are for every
  ///     value.
  ///   - explanation: A sentence that says what an allow means, or nothing.
  ///   - implies: The names of the parts that are also allowed when this part is allowed.
  ///   - severity: The severity of the part; by default, the capability's.
  public init(
    _ name: String, title: String? = nil, values: Scope.Kind? = nil, valueAction: String? = nil,
    valueNoun: String? = nil,
    action: String, explanation: String = "",
    implies: Set<String> = [], severity: Severity? = nil
  ) {
    self.name = name
    self.title = title ?? name
    self.action = action
    self.explanation = explanation
    self.implies = implies
    self.severity = severity
    self.values = values
    self.valueAction = valueAction
    self.valueNoun = valueNoun
  }
}

extension CapabilityPart {
  /// Returns the words that come before a value, for example `read the variable`.
  ///
  /// - Parameter other: The words of a part that has none of its own for this.
  func words(beforeValueOr other: String) -> String {
    guard let valueAction else { return "\(other) in" }
    return valueNoun.map { "\(valueAction) the \($0)" } ?? valueAction
  }

  /// Returns the words that complete the sentence "backup asks to …" without naming the values, for example `read a file`;
  /// `nil` if there are no scopes.
  func action(for scopes: [Scope]) -> String? {
    if scopes.isEmpty { return nil }
    if scopes.contains(.any) { return action }
    guard let valueAction else { return "\(action) in \(scopes.map(\.words).joinedInWords())" }
    // The part of a capability that a user has defined has no word for its values.
    guard values != .name || valueNoun != nil else { return valueAction }
    let noun = noun(for: scopes)
    return scopes.count == 1 ? "\(valueAction) a \(noun)" : "\(valueAction) \(scopes.count) \(noun)s"
  }

  private func noun(for scopes: [Scope]) -> String {
    let areFolders = scopes.allSatisfy { if case .folder = $0 { true } else { false } }
    if areFolders { return "folder" }
    if let valueNoun { return valueNoun }
    return switch values {
    case .path: "file"
    case .host: "host"
    case .command: "command"
    case .name, nil: "value"
    }
  }
}

/// The amount of harm that can result from wrongly allowing something. It determines the form of the alert.
public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
  /// Little harm. The alert can be answered without typing a word.
  case mild
  /// Some harm. The alert is answered in the same way as for ``mild``.
  case moderate
  /// Great harm. Allowing requires typing a word.
  case severe

  public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
