import Glibc
import PermBroker
import PermModel

extension SharedOptions {
  /// Where the broker of the named store is.
  func brokerPlace() throws(CommandError) -> BrokerPlace {
    try BrokerPlace(option: store, environment: ProcessEnvironment.current())
  }

  /// A connection to the broker for persons; `nil` if none is running.
  func control() throws -> BrokerConnection? {
    let place = try brokerPlace()
    do throws(BrokerSocketError) {
      return try BrokerConnection(to: .control, among: place.addresses)
    } catch .nobodyListens {
      return nil
    } catch {
      throw CommandError("\(error)")
    }
  }
}

extension CommandError {
  /// What a broker refused, in words and with an exit status.
  init(broker error: BrokerError) {
    let status: ExitStatus =
      switch error {
      case .unknownCapability, .invalid: .usage
      case .noSuchRequest, .noSuchProgram, .nothingToUndo: .denied
      case .tooMuch, .disconnected: .noAnswer
      default: .failed
      }
    self.init("\(error)", status: status)
  }
}
