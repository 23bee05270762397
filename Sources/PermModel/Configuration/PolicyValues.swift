import Machine

/// The values in an entry of the policy, for example `["/srv/"]`.
struct PolicyValues {
  private let values: [String]
  private let parts: [CapabilityPart]
  private let capability: CapabilityDefinition
  private let home: String

  /// - Parameter parts: The names of the parts for which the values are forbidden; `nil` for all parts that take values.
  init(_ values: [String], of parts: [String]?, _ capability: CapabilityDefinition, _ home: String) {
    self.values = values
    self.parts = capability.parts.filter { parts?.contains($0.name) ?? ($0.values != nil) }
    self.capability = capability
    self.home = home
  }

  /// Returns the forbidden parts with their scopes; `nil` if there is a mistake. Every mistake is reported.
  func texts(_ table: inout ConfigurationTable) -> Set<String>? {
    let consequence = "until this is corrected, all values are forbidden"
    if values.isEmpty {
      table.report("values", "names no value; leave it out for all values; \(consequence)")
    }
    if parts.isEmpty { table.report("values", "\(capability.name) takes no values; \(consequence)") }
    let without = parts.filter { $0.values == nil }
    for part in without {
      table.report("values", "\(capability.name):\(part.name) takes no values; \(consequence)")
    }
    var texts: Set<String> = []
    var isWrong = values.isEmpty || parts.isEmpty || !without.isEmpty
    for part in parts {
      guard let kind = part.values else { continue }
      for value in values {
        do throws(ScopeError) {
          for scope in try scopes(value, kind) { texts.insert("\(part.name)@\(scope.text)") }
        } catch {
          table.report("values", "\"\(value)\": \(error); \(consequence)")
          isWrong = true
        }
      }
    }
    return isWrong ? nil : texts
  }

  /// Returns the scopes that a value names. A path that leads through links is forbidden under both names.
  private func scopes(_ value: String, _ kind: Scope.Kind) throws(ScopeError) -> [Scope] {
    let value = try ForeignPattern.resolved(value, kind: kind)
    guard kind == .path, value != "*" else { return [try Scope(value, kind: kind)] }
    let whole = value.hasPrefix("~/") ? Scope.escaped(Array(home.utf8)) + value.dropFirst() : value
    let spelled = try Scope(whole, kind: .path)
    guard let known = Paths.resolved(try Scope.unescaped(whole)), let path = try? AbsolutePath(known) else {
      return [spelled]
    }
    let resolved = if case .folder = spelled { Scope.folder(path) } else { Scope.path(path) }
    return resolved == spelled ? [spelled] : [spelled, resolved]
  }
}
