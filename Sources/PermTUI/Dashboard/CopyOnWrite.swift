/// A property that is kept behind a reference, so that copying the value which has it copies only the reference. It is
/// still a value: changing it in one copy does not change the others. Every change makes a new box, even a change of
/// `form?` that is `nil`, so this suits a large value that is read often and changed seldom.
///
/// The views of each frame copy the dashboard's state several times. Without this, every copy would copy and count
/// dozens of references.
@propertyWrapper
struct CopyOnWrite<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    // A constant can be read where it is. A variable would be copied for every use.
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(wrappedValue: Value) { box = Box(wrappedValue) }

  var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      var value = box.value
      defer { box = Box(value) }
      yield &value
    }
  }
}
