import PermModel

/// The answer about a use.
enum Ruling: Hashable, Sendable {
  case allowed
  case denied
  /// Denied for as long as a panic lasts.
  case suspended
  /// Not decided yet, so a person has to be asked.
  case open
}

/// The source of rulings about the program that runs behind the walls.
protocol Rulings: Sendable {
  /// Returns the ruling about a use at this moment. It answers without waiting, on any thread.
  func ruling(on use: FileUse) -> Ruling
  func ruling(on use: HostUse) -> Ruling

  /// Whether writing to a name is allowed by no wider scope.
  func isProtected(_ path: AbsolutePath) -> Bool

  /// Calls a closure, on any thread, after each change that can lead to other rulings.
  func onChange(_ changed: @escaping @Sendable () -> Void)

  /// Waits until what follows from the rulings is stored.
  func finish()
}
