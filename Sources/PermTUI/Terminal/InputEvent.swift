/// What the person, or the terminal itself, sent.
enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// A whole bracketed paste. Its text is never keys.
  case paste(String)
  /// A key is held down, which some terminals say; others send the key again.
  case repeated
  /// The window has the focus again.
  case focused
  /// Input that is no key: a reply of the terminal, an Alt combination, an unknown or broken sequence. It means
  /// nothing, but the input was not quiet.
  case noise
}
