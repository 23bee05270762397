/// A property that is kept behind a reference, so that copying the value which has it copies only the reference. It is
/// still a value: changing it in one copy does not change the others. Every change makes a new box, even a change of
/// an optional that is `nil`, so this suits a large value that is read often and changed seldom.
///
/// The views of each frame copy the dashboard's state several times, and lists hold a thousand alerts. Without this, every
/// copy would copy and count dozens of references, and two equal copies would be compared field by field.
///
/// It is public for the same reason as ``Lock``.
@propertyWrapper
public struct CopyOnWrite<Value: Sendable>: Sendable {
  @usableFromInline
  final class Box: Sendable {
    // A constant can be read where it is. A variable would be copied for every use.
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable
  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  @inlinable
  public var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      var value = box.value
      defer { box = Box(value) }
      yield &value
    }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {
  @inlinable
  public static func == (one: Self, other: Self) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
