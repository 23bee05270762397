/// Why a child cannot be added to a group.
public enum GroupError: Error, Equatable, CustomStringConvertible {
  /// The group's body has returned and all its children have ended.
  case hasEnded(group: String, child: String)

  public var description: String {
    switch self {
    case .hasEnded(let group, let child):
      "“\(child)” was added to the group “\(group)” after that had ended. Add it from the group's body or a child."
    }
  }
}
