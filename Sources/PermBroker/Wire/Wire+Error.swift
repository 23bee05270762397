import PermModel

extension Wire {
  /// The fields of all errors of the interface. The interface's description lists the fields of each error.
  struct ErrorDetails: Codable, Hashable, Sendable {
    var reason: String?
    var parameter: String?
    var id: String?
    var program: String?
    var programs: [Program]?
    var meant: String?
    var path: String?
    var method: String?
    var interface: String?
    var socket: String?
  }
}

extension BrokerError {
  static let interface = "io.permtui.Broker"
  private static let service = "org.varlink.service"

  /// The error's full name and its fields, as sent in a reply.
  var wire: (name: String, details: Wire.ErrorDetails) {
    switch self {
    case .unknownCapability(let reason): ours("UnknownCapability", .init(reason: reason))
    case .invalid(let parameter, let reason): ours("Refused", .init(reason: reason, parameter: parameter))
    case .tooMuch(let reason): ours("TooMuch", .init(reason: reason))
    case .mayNotChange(let reason): ours("MayNotChange", .init(reason: reason))
    case .changed: ours("Changed", .init())
    case .noSuchRequest(let id): ours("NoSuchRequest", .init(id: id))
    case .noSuchProgram(let name, let meant): ours("NoSuchProgram", .init(program: name, meant: meant))
    case .noSuchFile(let path): ours("NoSuchFile", .init(path: path))
    case .ambiguousProgram(let name, let subjects):
      ours("AmbiguousProgram", .init(program: name, programs: subjects.map(Wire.Program.init)))
    case .nothingToUndo: ours("NothingToUndo", .init())
    case .nothingToRedo: ours("NothingToRedo", .init())
    case .undoRefused(let reason): ours("UndoRefused", .init(reason: reason))
    case .store(let reason): ours("StoreFailed", .init(reason: reason))
    case .onOtherSocket(let method, let socket):
      ours("OnOtherSocket", .init(method: method, socket: socket.rawValue))
    case .unknownMethod(let method): ("\(Self.service).MethodNotFound", .init(method: method))
    case .unknownInterface(let name): ("\(Self.service).InterfaceNotFound", .init(interface: name))
    case .expectsMore: ("\(Self.service).ExpectedMore", .init())
    case .disconnected, .silent: ours("StoreFailed", .init(reason: description))
    case .notUnderstood(let what): ("\(Self.service).InvalidParameter", .init(parameter: what))
    }
  }

  private func ours(_ name: String, _ details: Wire.ErrorDetails) -> (String, Wire.ErrorDetails) {
    ("\(Self.interface).\(name)", details)
  }

  /// Creates the error from its full name and its fields in a reply.
  init(_ name: String, _ details: Wire.ErrorDetails, of method: String) {
    let reason = details.reason ?? ""
    switch name {
    case "\(Self.interface).UnknownCapability": self = .unknownCapability(reason: reason)
    case "\(Self.interface).Refused": self = .invalid(parameter: details.parameter ?? "", reason: reason)
    case "\(Self.interface).TooMuch": self = .tooMuch(reason: reason)
    case "\(Self.interface).MayNotChange": self = .mayNotChange(reason: reason)
    case "\(Self.interface).Changed": self = .changed
    case "\(Self.interface).NoSuchRequest": self = .noSuchRequest(details.id ?? "")
    case "\(Self.interface).NoSuchProgram": self = .noSuchProgram(details.program ?? "", meant: details.meant)
    case "\(Self.interface).NoSuchFile": self = .noSuchFile(details.path ?? "")
    case "\(Self.interface).AmbiguousProgram":
      self = .ambiguousProgram(details.program ?? "", details.programs?.map(\.subject) ?? [])
    case "\(Self.interface).NothingToUndo": self = .nothingToUndo
    case "\(Self.interface).NothingToRedo": self = .nothingToRedo
    case "\(Self.interface).UndoRefused": self = .undoRefused(reason: reason)
    case "\(Self.interface).StoreFailed": self = .store(reason: reason)
    case "\(Self.interface).OnOtherSocket":
      self = .onOtherSocket(method: method, details.socket.flatMap(BrokerSocket.init) ?? .control)
    case "\(Self.service).MethodNotFound": self = .unknownMethod(method)
    case "\(Self.service).InterfaceNotFound": self = .unknownInterface(details.interface ?? "")
    case "\(Self.service).ExpectedMore": self = .expectsMore(method)
    case "\(Self.service).InvalidParameter":
      self = .invalid(parameter: details.parameter ?? "", reason: "the broker does not accept it")
    default: self = .notUnderstood(name)
    }
  }
}
