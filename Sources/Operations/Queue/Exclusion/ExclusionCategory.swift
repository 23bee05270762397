/// A named resource that only one operation can hold at a time.
public struct ExclusionCategory: Hashable, Sendable, CustomStringConvertible {
  private enum Identity: Hashable, Sendable {
    case name(String)
    case type(ObjectIdentifier)
  }

  private let identity: Identity
  private let type: (any Any.Type)?

  /// Creates a category that is identified by its name.
  public init(_ name: String) {
    identity = .name(name)
    type = nil
  }

  /// Creates a category that is identified by a type. The same type means the same category everywhere in the process.
  public init<T>(_ type: T.Type) {
    identity = .type(ObjectIdentifier(type))
    self.type = type
  }

  /// The name that is shown in explanations and on the screen.
  public var name: String {
    switch identity {
    case .name(let name): name
    case .type: type.map { String(reflecting: $0) } ?? ""
    }
  }

  public var description: String { name }

  public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
