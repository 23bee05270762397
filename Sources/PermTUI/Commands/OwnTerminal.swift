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
  /// - Parameter descriptor: Ends the question as soon as it can be read: it was answered elsewhere, or a signal came.
  /// - Returns: `nil` if something else ended it, or the time was up.
  static func prompt(
    _ alert: Alert, until descriptor: Int32, deadline: ContinuousClock.Instant? = nil
  ) -> RequestProgress? {
    AsyncBridge.wait {
      await withTaskGroup(of: AlertResponse?.self) { group in
        group.addTask { try? await LinePresenter().present(alert) }
        group.addTask {
          await Readable.wait(descriptor)
          return nil
        }
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
