public import PermModel

/// A reason why a broker did not do what it was asked to do.
public enum BrokerError: Error, Hashable, Sendable {
  /// The capability, or one of the named parts, does not exist. The reason says what is wrong, and which name was
  /// probably meant.
  case unknownCapability(reason: String)
  case invalid(parameter: String, reason: String)
  /// The program asks too often, or has too many requests waiting.
  case tooMuch(reason: String)
  /// The calling process is allowed to read, but not to make changes, for the given reason.
  case mayNotChange(reason: String)
  /// The answer refers to an earlier state of the request.
  case changed
  /// No request with this id is waiting. Either it has been answered or withdrawn, or it never existed.
  case noSuchRequest(String)
  /// The store contains no program with this name. `meant` is a similar name in the store.
  case noSuchProgram(String, meant: String?)
  /// The path that was given for a program leads to no file.
  case noSuchFile(String)
  /// Several programs match this name.
  case ambiguousProgram(String, [Subject])
  case nothingToUndo, nothingToRedo
  case undoRefused(reason: String)
  case store(reason: String)
  /// The method is served only at the given socket, which is not the one that was called.
  case onOtherSocket(method: String, BrokerSocket)
  case unknownMethod(String)
  case unknownInterface(String)
  /// The method sends several replies, but the call does not accept more than one.
  case expectsMore(String)
  /// The broker went away before replying.
  case disconnected
  /// The broker did not reply in time. It was probably stopped.
  case silent
  /// The process at the other end violates the protocol. The string says how.
  case notUnderstood(String)
}

extension BrokerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownCapability(let reason), .tooMuch(let reason), .mayNotChange(let reason), .store(let reason):
      reason
    case .invalid(let parameter, let reason): "\(parameter): \(reason)"
    case .changed: "\(AnswerRefused.changed)"
    case .noSuchRequest(let id):
      "no request \(VisibleText.brief(id)) is waiting; it was answered or withdrawn"
    case .noSuchProgram(let name, _): "nothing is known about a program '\(VisibleText.brief(name))'"
    case .noSuchFile(let path): "there is no file '\(VisibleText.brief(path))'"
    case .ambiguousProgram(let name, let subjects):
      "several programs are called \(name); name one by its path: "
        + subjects.map { $0.path ?? "\($0.label), not seen yet" }.joined(separator: ", ")
    case .nothingToUndo: "there is no change that can be undone"
    case .nothingToRedo: "there is no undone change that can be made again"
    case .undoRefused(let reason): "refused: \(reason)"
    case .onOtherSocket(let method, let socket): "\(method) is served at the socket \(socket.rawValue) only"
    case .unknownMethod(let method): "the broker knows no method \(method); it may be of another version"
    case .unknownInterface(let interface):
      "the broker knows no interface \(interface); it may be of another version"
    case .expectsMore(let method): "\(method) gives several replies; call it with \"more\""
    case .disconnected: "the broker went away"
    case .silent: "the broker does not reply; if it was stopped, let it go on"
    case .notUnderstood(let what): "the broker's reply is not understood: \(what)"
    }
  }
}

extension BrokerError {
  /// Returns the error for a call that is longer than the broker accepts.
  static func tooLong(bytes: Int?) -> BrokerError {
    let length = bytes.map { "it has \($0) bytes" } ?? "it is too long"
    return .invalid(
      parameter: "call",
      reason: "\(length), and a call can have at most \(MessageBuffer.longestCall); "
        + "ask for fewer values at a time, or for shorter ones")
  }

  init(_ refused: DecisionRefused) {
    self = .invalid(parameter: refused.parameter, reason: "\(refused)")
  }

  init(_ refused: LookupRefused) {
    self =
      switch refused {
      case .processEnded: .disconnected
      case .unfit(let reason): .invalid(parameter: "values", reason: reason)
      }
  }

  init(_ refused: AnswerRefused) {
    self =
      switch refused {
      case .notShown(let id): .noSuchRequest(id.text)
      case .changed: .changed
      case .notOffered: .invalid(parameter: "answer", reason: "\(refused)")
      }
  }
}

extension DecisionRefused {
  /// The parameter of a call that is wrong.
  fileprivate var parameter: String {
    switch self {
    case .needsRequest, .hasPassed, .allowedTooLong: "lifetime"
    case .everyoneIsOnlyDenied, .everyoneIsMutedByPanic, .unfitName: "program"
    case .everyoneIsInEveryFolder, .noFolder, .needsFolder: "folder"
    case .namesNothing, .neverAllowedBeforehand, .protectedFolder, .forbiddenByPolicy, .denied: "capability"
    }
  }
}
