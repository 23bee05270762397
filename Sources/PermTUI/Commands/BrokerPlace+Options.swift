import PermBroker
import PermModel

extension BrokerPlace {
  /// Where the broker is of the store that options and environment name, unless they name its sockets.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if option == nil, let place = BrokerPlace(socketsNamedIn: environment) {
      self = place
    } else {
      self.init(
        store: try StoreLocation.path(option: option, environment: environment), environment: environment)
    }
  }
}
