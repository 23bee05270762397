import Machine
import Operations

extension Authorizer {
  private static let standard = Lock<Authorizer?>(nil)

  /// What operations and conditions use that are not handed another one. Set it once at the start of a program.
  ///
  /// A program whose requests shall come up on the user's dashboard imports PermBroker, which supplies the way there:
  ///
  ///     Authorizer.default = .throughBroker()
  public static var `default`: Authorizer {
    get { standard.withLock { $0 } ?? Authorizer(subject: Subject(label: "unknown"), desk: NoDesk()) }
    set { standard.withLock { $0 = newValue } }
  }
}

/// There is no desk to ask.
public struct NoAuthorizer: Error, Hashable, CustomStringConvertible {
  public var description: String {
    "no authorizer is set; when the program starts, import PermBroker and set Authorizer.default = .throughBroker(), "
      + "or hand an authorizer to the operation"
  }
}

/// Stands in until a program has set its authorizer.
private struct NoDesk: PermissionDesk {
  func standing(of subject: Subject, capability: String) throws -> Standing { throw NoAuthorizer() }
  func decisionChanges(for subject: Subject, capability: String) throws -> AsyncStream<Void> {
    throw NoAuthorizer()
  }
  func answer(to asking: Asking) throws -> RequestEnd { throw NoAuthorizer() }
  func record(_ answer: AutomaticAnswer) throws { throw NoAuthorizer() }
  var now: Timestamp { .now }
  func makeID() -> String { StoreEnvironment.randomID() }
}
