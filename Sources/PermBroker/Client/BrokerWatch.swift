import Machine

/// A watch that notices when a broker begins to listen. The kernel reports this through inotify, so no
/// polling is needed.
package final class BrokerWatch: Sendable {
  /// The time to wait for the next broker after one has gone away.
  private static let handover = Duration.seconds(2)

  private let addresses: [BrokerAddress]
  private let inotify: Inotify
  private let signal: ChangeSignal

  /// Starts watching. From then on, every broker that begins to listen is noticed.
  package init(_ addresses: [BrokerAddress]) {
    self.addresses = addresses
    let signal = ChangeSignal()
    self.signal = signal
    inotify = Inotify { _ in signal.send() }
    watchFolders()
  }

  /// Waits until a broker listens. Returns `false` if the task was cancelled first.
  package func waitUntilListening() async -> Bool {
    for await _ in signal.changes() {
      // A folder that was missing might exist now. If so, the folder itself must be watched.
      watchFolders()
      if UnixSocket.isListening(.ask, among: addresses) { return true }
    }
    return false
  }

  /// Waits until a broker listens, but no longer than it usually takes the next one to start.
  func waitForNext() async throws {
    _ = try await first(
      of: { await self.waitUntilListening() ? true : nil },
      {
        try await QuietClock.sleep(for: Self.handover)
        return true
      })
  }

  /// Watches the folder of each address. If a folder is missing, watches its parent instead.
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
