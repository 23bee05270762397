extension Screen {
  /// The views that a key opens from every list, the first view first. A new view is its own file and a line here; its
  /// command and the context of its keys have the same name.
  static let all: [Screen] = [
    .capabilities,
    .programs,
    .matrix,
    .waiting,
    .operations,
    .journal,
    .day,
    .commands,
  ]

  static let first = all[0]

  /// Returns the view that a command opens from every list.
  static func opened(by command: Command) -> Screen? {
    all.first { $0.context.rawValue == command.rawValue }
  }
}
