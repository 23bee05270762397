import Dispatch
import Glibc
import PermBroker
import PermModel

/// The terminal that a program was started from, whatever its input and output are.
enum OwnTerminal {
  static var isThere: Bool {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Asks there, once and without keeping anything.
  ///
  /// - Parameter descriptor: Ends the question as soon as it can be read: it was answered elsewhere.
  /// - Returns: `nil` if it was answered elsewhere or the time was up.
  static func prompt(
    _ alert: Alert, until descriptor: Int32?, deadline: ContinuousClock.Instant? = nil
  ) throws -> RequestProgress? {
    AsyncBridge.wait {
      await withTaskGroup(of: AlertResponse?.self) { group in
        group.addTask { try? await LinePresenter().present(alert) }
        if let descriptor { group.addTask { await waitUntilReadable(descriptor) } }
        if let deadline {
          group.addTask {
            try? await Task.sleep(until: deadline, clock: .continuous)
            return nil
          }
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first.map { RequestProgress($0) }
      }
    }
  }

  private static func waitUntilReadable(_ descriptor: Int32) async -> AlertResponse? {
    let (events, event) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { event.yield() }
    source.resume()
    defer { source.cancel() }
    for await _ in events { break }
    return nil
  }
}

extension RequestProgress {
  fileprivate init(_ response: AlertResponse) {
    if case .answered(let answer) = response {
      self = answer.verdict == .allow ? .allowed : .denied(explanation: nil)
    } else {
      self = .dismissed
    }
  }
}
