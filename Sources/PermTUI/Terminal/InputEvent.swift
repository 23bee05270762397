/// Input from the person, or from the terminal itself.
enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// A whole bracketed paste. Its text is never interpreted as keys.
  case paste(String)
  /// Input that follows a paste without an end. It is no key, because it could still belong to the paste. A lone Escape
  /// ends this.
  case stalled
  /// A key is being held down. Some terminals report this; others just send the key again.
  case repeated
  /// The window has the focus again.
  case focused
  /// The window has lost the focus, so the person is not typing here.
  case unfocused
  /// The wheel was turned, or the mouse was clicked. It is no key, and never answers.
  case mouse(MouseEvent)
  /// Input that is not a key: a reply from the terminal, an Alt combination, or an unknown or broken
  /// sequence. It has no meaning of its own, but it shows that there was input at that time.
  case noise
}
