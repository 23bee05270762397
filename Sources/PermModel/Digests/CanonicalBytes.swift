/// A sequence of fields, encoded so that two different sequences never have the same bytes. Each string is preceded by
/// its length, and each list by the number of its elements. A missing value is encoded as an empty list.
struct CanonicalBytes {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes += text.utf8
  }

  mutating func add(_ number: Int) { add(Int64(number)) }

  mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: number).bigEndian) { bytes += $0 }
  }

  mutating func add<Element>(
    _ list: some Collection<Element>, _ write: (inout CanonicalBytes, Element) -> Void
  ) {
    add(list.count)
    for element in list { write(&self, element) }
  }

  mutating func add(_ text: String?) { add(CollectionOfOne(text).compactMap(\.self)) { $0.add($1) } }

  mutating func add(_ scope: Scope) {
    add(scope.kind?.rawValue)
    add(scope.text)
  }

  mutating func add(_ atoms: Set<Atom>) {
    add(atoms.sorted()) { bytes, atom in
      bytes.add(atom.capability)
      bytes.add(atom.name)
      bytes.add(atom.scope)
    }
  }
}
