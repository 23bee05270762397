import PermModel

extension State {
  /// What the key that is waited for means; `nil` while none is.
  var pressedCommand: Command? {
    prompt.pressed.flatMap { surroundings.keys.command(for: $0, in: contexts) }
  }

  /// Why keys do nothing now, or did nothing before.
  var promptHint: String? {
    if prompt.isAsleep { return "Asleep, since no key was pressed for a while. Any key wakes it." }
    switch prompt.complaint {
    case .tooEarly: return "Not yet: keys count once the button lights up."
    case .held: return "A key that is held down counts for nothing."
    case .mixed: return "Different keys came together, so none of them counts."
    case nil: return nil
    }
  }
}
