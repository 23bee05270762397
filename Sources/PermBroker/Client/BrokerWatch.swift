import Glibc
import Machine

/// Notices when a broker begins to listen, as the kernel reports it, without polling.
final class BrokerWatch: Sendable {
  private let addresses: [BrokerAddress]
  private let inotify: Inotify
  private let signal: ChangeSignal

  /// Starts to watch, so that any broker that begins to listen later is noticed.
  init(_ addresses: [BrokerAddress]) throws(BrokerSocketError) {
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

  /// Waits until a broker listens; returns `false` if the task was cancelled first.
  func waitUntilListening() async -> Bool {
    for await _ in signal.changes() {
      // Folders that have been created since are watched from now on.
      watchFolders()
      if isListening { return true }
    }
    return false
  }

  private var isListening: Bool {
    guard let connection = try? UnixSocket.connectToOwn(.ask, among: addresses) else { return false }
    close(connection)
    return true
  }

  /// Watches each folder, or its parent if it is missing.
  private func watchFolders() {
    for folder in addresses.map(\.folder) {
      do throws(SystemError) {
        try inotify.watch(folder, for: [.arrivals, .attributes])
      } catch {
        _ = try? inotify.watch(folder.folderOfPath, for: [.arrivals, .attributes])
      }
    }
  }
}
