extension Sequence {
  /// Returns the first result of a closure that is not `nil`. The closure is called once for each element.
  ///
  /// `first` of a lazy `compactMap` calls the closure again for the element that it has found, and ends the process if
  /// that result is `nil`. A closure that looks at files, or at whether a task is cancelled, must not be used there.
  package func firstResult<Result>(of closure: (Element) throws -> Result?) rethrows -> Result? {
    for element in self {
      if let result = try closure(element) { return result }
    }
    return nil
  }
}
