/// The source of a decision or another change.
package enum Origin: Hashable, Sendable, Codable {
  /// A dashboard, identified by its own id: the pid of its process, and a random part. The id tells other dashboards
  /// that they did not make the change.
  case dashboard(id: String)
  /// An operator, who answers from another machine through `permtui bridge`. The name is the one that this machine's owner
  /// gave to the operator's key; the id is that of the dashboard there.
  case `operator`(name: String, dashboard: String)
  /// A command such as `permtui allow` that made the change through the broker.
  case commandLine
  /// A command that found no broker and therefore changed the store directly.
  case commandLineAlone
  /// The prompt that `permtui request` shows in the program's own terminal.
  case terminal
  /// The policy file or another rule, identified by its name.
  case rule(String)
  /// The library, which runs inside the program itself.
  case library
}

extension Origin {
  /// The broker, which acts without a person.
  package static let broker = Origin.rule("broker")

  /// The sign between the pid and the random part of the id of a dashboard.
  private static let endOfPID = "."

  /// Returns the id of a dashboard that runs in the process with this pid.
  package static func dashboardID(pid: Int32, random: String) -> String { "\(pid)\(endOfPID)\(random)" }

  /// The pid of the process of the dashboard; `nil` if its id does not begin with one.
  package var pid: String? {
    guard case .dashboard(let id) = self else { return nil }
    let pid = id.prefix { $0.isASCII && $0.isNumber }
    return !pid.isEmpty && id.dropFirst(pid.count).hasPrefix(Self.endOfPID) ? String(pid) : nil
  }
}

extension Origin: LosslessStringConvertible {
  /// The form in which the store keeps the origin, for example `command-line` or `dashboard 5f0c`.
  package var description: String {
    switch self {
    case .dashboard(let id): "dashboard \(id)"
    case .operator(let name, let id): "dashboard \(id)\(Self.asOperator)\(name)"
    case .commandLine: "command-line"
    case .commandLineAlone: "command-line alone"
    case .terminal: "terminal"
    case .rule(let name): "rule \(name)"
    case .library: "library"
    }
  }

  package init?(_ description: String) {
    switch description {
    case "command-line": self = .commandLine
    case "command-line alone": self = .commandLineAlone
    case "terminal": self = .terminal
    case "library": self = .library
    default:
      if let id = description.rest(after: "dashboard ") {
        self = Self.ofDashboard(id)
      } else if let name = description.rest(after: "rule ") {
        self = .rule(name)
      } else {
        return nil
      }
    }
  }
}

extension Origin {
  /// The words between the id of a dashboard and the name of the operator there. Ids have no spaces, so an earlier version
  /// reads all of it as an id.
  private static let asOperator = " as "

  private static func ofDashboard(_ text: String) -> Origin {
    let id = text.prefix { $0 != " " }
    guard let name = String(text.dropFirst(id.count)).rest(after: asOperator) else {
      return .dashboard(id: text)
    }
    return .operator(name: name, dashboard: String(id))
  }

  /// The name of the operator who answers from another machine; `nil` if the origin is on this machine.
  package var operatorName: String? {
    if case .operator(let name, _) = self { name } else { nil }
  }

  /// Returns the same origin as that of an operator.
  ///
  /// - Parameter process: The process of the operator's bridge, which stands for a dashboard that is not named.
  package func of(operator name: String, process: Int32) -> Origin {
    if case .dashboard(let id) = self { return .operator(name: name, dashboard: id) }
    return .operator(name: name, dashboard: Self.dashboardID(pid: process, random: "bridge"))
  }
}

extension String {
  /// Returns the rest of the string after a prefix; `nil` if the string does not begin with that prefix.
  func rest(after beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
