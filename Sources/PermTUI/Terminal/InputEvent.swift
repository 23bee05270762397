/// What the person, or the terminal itself, sent.
enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// A whole bracketed paste. Its text is never keys.
  case paste(String)
  /// Input that is no key: a reply of the terminal, an Alt combination, an unknown or broken sequence. It means
  /// nothing, but the input was not quiet.
  case noise
}
