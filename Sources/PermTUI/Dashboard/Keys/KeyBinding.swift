/// One row of the key table: the effect of some keys in some places, with the words that help uses.
struct KeyBinding: Hashable, Sendable {
  var command: Command
  var keys: [Key]
  var contexts: [KeyContext]
  /// The words in the bottom line, one to three.
  var label: String
  /// The words in help and documentation.
  var help: String
  /// Its place in the bottom line, the lowest first; `nil` keeps it out.
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
