/// A button of a form. Each does what the key of its command does.
enum FormButton: Hashable, Sendable {
  case deny, allow, setAside, cancel, refuse, confirm, close

  /// What the button does when it is pressed.
  var command: Command {
    switch self {
    case .deny: .deny
    case .allow: .allow
    case .setAside: .setAside
    case .cancel, .close: .close
    case .refuse: .refuse
    case .confirm: .confirm
    }
  }
}
