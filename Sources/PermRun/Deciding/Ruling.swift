/// The answer about a use.
enum Ruling: Hashable, Sendable {
  case allowed
  case denied
  /// Not decided yet, so a person has to be asked.
  case open
}

/// The source of rulings about the program that runs behind the walls.
protocol Rulings: Sendable {
  /// Returns the ruling about a use at this moment. It is called from one thread, and answers without waiting.
  func ruling(on use: FileUse) -> Ruling

  /// Calls a closure, on any thread, after each change that can lead to other rulings.
  func onChange(_ changed: @escaping @Sendable () -> Void)
}
