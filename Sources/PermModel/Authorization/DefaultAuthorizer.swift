import Machine
import Operations

extension Authorizer {
  private static let standard = Lock<Authorizer?>(nil)

  /// The authorizer of operations and conditions that are not given another one. Set it once at the start of a program.
  ///
  /// A program whose requests are to appear on the user's dashboard imports PermBroker, which supplies the connection:
  ///
  ///     Authorizer.default = .throughBroker()
  public static var `default`: Authorizer {
    get { standard.withLock { $0 } ?? Authorizer(subject: Subject(label: "unknown"), desk: NoDesk()) }
    set { standard.withLock { $0 = newValue } }
  }
}

/// The error that no authorizer is set, so there is no desk to ask.
public struct NoAuthorizer: Error, Hashable, CustomStringConvertible {
  public var description: String {
    "no authorizer is set; when the program starts, import PermBroker and set Authorizer.default = .throughBroker(), "
      + "or hand an authorizer to the operation"
  }
}

/// A substitute until a program has set its authorizer.
private struct NoDesk: PermissionDesk {
  func standing(of subject: Subject, capability: String) throws -> Standing { throw NoAuthorizer() }
  func decisionChanges(for subject: Subject, capability: String) throws -> AsyncStream<Void> {
    throw NoAuthorizer()
  }
  func answer(to asking: Asking) throws -> RequestEnd { throw NoAuthorizer() }
  func record(_ answer: AutomaticAnswer) throws { throw NoAuthorizer() }
  var now: Timestamp { .now }
  func makeID() -> String { RandomID.make() }
}
