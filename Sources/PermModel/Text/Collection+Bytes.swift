extension Collection<UInt8> {
  /// Whether every byte fits. The bytes of a text are looked at where they lie, not one by one through its view.
  @inlinable
  package func allBytes(_ fit: (UInt8) -> Bool) -> Bool {
    withContiguousStorageIfAvailable { $0.allSatisfy(fit) } ?? allSatisfy(fit)
  }
}
