public import PermModel

/// A reason why a broker did not do what it was asked to do.
public enum BrokerError: Error, Hashable, Sendable {
  /// There is no such capability, or no such part of it. The reason says what is wrong, and what was probably meant.
  case unknownCapability(reason: String)
  case invalid(parameter: String, reason: String)
  /// The program asks too often, or has too many requests waiting.
  case tooMuch(reason: String)
  /// The calling process may look but not change anything, for the given reason.
  case mayNotChange(reason: String)
  /// The answer was to an earlier state of the request.
  case changed
  /// No request with this id is waiting: it was answered or withdrawn, or never existed.
  case noSuchRequest(String)
  /// No program of this name is known. `meant` is a similar name that is known.
  case noSuchProgram(String, meant: String?)
  /// A program was named by a file that does not exist.
  case noSuchFile(String)
  /// Several programs use this label.
  case ambiguousProgram(String, [Subject])
  case nothingToUndo
  case undoRefused(reason: String)
  case store(reason: String)
  /// The method belongs to the other socket.
  case onOtherSocket(method: String, BrokerSocket)
  case unknownMethod(String)
  case unknownInterface(String)
  /// The method returns several replies, but the call accepts only one.
  case expectsMore(String)
  /// The broker went away before replying.
  case disconnected
  /// The other side violates the protocol; the text says how.
  case notUnderstood(String)
}

extension BrokerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownCapability(let reason), .tooMuch(let reason), .mayNotChange(let reason), .store(let reason):
      reason
    case .invalid(let parameter, let reason): "\(parameter): \(reason)"
    case .changed: "\(AnswerRefused.changed)"
    case .noSuchRequest(let id): "no request \(id) is waiting; it was answered or withdrawn"
    case .noSuchProgram(let name, _): "nothing is known about a program '\(name)'"
    case .noSuchFile(let path): "there is no file '\(path)'"
    case .ambiguousProgram(let name, let subjects):
      "several programs are called \(name); name one by its path: "
        + subjects.map { $0.path ?? "\($0.label), not seen yet" }.joined(separator: ", ")
    case .nothingToUndo: "there is no change that can be undone"
    case .undoRefused(let reason): "cannot undo: \(reason)"
    case .onOtherSocket(let method, let socket): "\(method) is served at the socket \(socket.rawValue) only"
    case .unknownMethod(let method): "the broker knows no method \(method); it may be of another version"
    case .unknownInterface(let interface):
      "the broker knows no interface \(interface); it may be of another version"
    case .expectsMore(let method): "\(method) gives several replies; call it with \"more\""
    case .disconnected: "the broker went away"
    case .notUnderstood(let what): "the broker's reply is not understood: \(what)"
    }
  }
}

extension BrokerError {
  init(_ refused: AnswerRefused) {
    self =
      switch refused {
      case .changed: .changed
      case .notOffered: .invalid(parameter: "answer", reason: "\(refused)")
      }
  }
}
