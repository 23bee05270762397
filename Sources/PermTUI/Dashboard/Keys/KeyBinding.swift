/// One row of the key table: what certain keys do in certain contexts, with the words that help uses.
struct KeyBinding: Hashable, Sendable {
  var command: Command
  var keys: [Key]
  var contexts: [KeyContext]
  /// The label in the bottom line, one to three words.
  var label: String
  /// The description in help and in the documentation.
  var help: String
  /// The binding's rank in the bottom line, lowest first; `nil` if the bottom line does not show it.
  var rank: Int?

  init(
    _ command: Command, _ keys: [Key], in contexts: [KeyContext], _ label: String, _ help: String,
    rank: Int? = nil
  ) {
    self.command = command
    self.keys = keys
    self.contexts = contexts
    self.label = label
    self.help = help
    self.rank = rank
  }
}
