/// A named resource that only one operation at a time may hold.
public struct ExclusionCategory: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case name(String)
    case type(ObjectIdentifier)
  }

  private let identity: Identity
  private let type: (any Any.Type)?

  /// A category by name.
  public init(_ name: String) {
    identity = .name(name)
    type = nil
  }

  /// A category by type: the same type is the same category everywhere in the process.
  public init<T>(_ type: T.Type) {
    identity = .type(ObjectIdentifier(type))
    self.type = type
  }

  /// The name that explanations and the screen use.
  public var name: String {
    switch identity {
    case .name(let name): name
    case .type: type.map { String(reflecting: $0) } ?? ""
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension ExclusionCategory: CustomStringConvertible {
  public var description: String { name }
}
