import Glibc
import Machine

/// Tells when a broker begins to listen, as the kernel reports it, without polling.
package final class BrokerWatch: Sendable {
  private let addresses: [BrokerAddress]
  private let socket: BrokerSocket
  private let inotify: Inotify
  private let signal: ChangeSignal

  /// Starts to watch, so that no broker that begins from here on is missed.
  package init(_ socket: BrokerSocket, among addresses: [BrokerAddress]) throws(BrokerSocketError) {
    self.socket = socket
    self.addresses = addresses
    let signal = ChangeSignal()
    self.signal = signal
    do throws(SystemError) {
      inotify = try Inotify { _ in signal.send() }
    } catch {
      throw .system(error.attempting("watch the sockets"))
    }
    watchFolders()
  }

  /// Waits until a broker listens; `false` if the task was cancelled before.
  package func waitUntilListening() async -> Bool {
    for await _ in signal.changes() {
      // A folder that came into being is looked into from now on.
      watchFolders()
      if isListening { return true }
    }
    return false
  }

  private var isListening: Bool {
    guard let connection = try? UnixSocket.connectToOwn(socket, among: addresses) else { return false }
    close(connection)
    return true
  }

  /// Watches each folder, or if it is missing, the one that it will be made in.
  private func watchFolders() {
    for address in addresses where (try? watch(address.folder)) == nil {
      try? watch(address.folder.folderOfPath)
    }
  }

  private func watch(_ folder: String) throws(SystemError) {
    try inotify.watch(folder, for: [.arrivals, .attributes])
  }
}
