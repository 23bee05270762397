import Machine

// A broker that does not reply, usually because it is stopped.

extension BrokerConnection {
  /// The time after which a broker that has not replied is taken for stopped. One that is not replies within a few
  /// milliseconds, if only to say that a request waits.
  package static let promptness = Duration.milliseconds(500)

  /// Returns whether the broker replies promptly.
  package func replies() throws(BrokerError) -> Bool {
    do {
      _ = try call(Methods.State.self, .init(), within: Self.promptness)
      return true
    } catch .silent {
      return false
    }
  }

  /// A sentence about a broker that does not reply. It names the process and says what helps, if the process is stopped.
  package var silence: String {
    guard let process = stoppedProcess else { return "the broker does not reply" }
    return "the broker is stopped; kill -CONT \(process) lets it go on"
  }

  /// Whether the broker's process is stopped, so that it cannot reply.
  package var isStopped: Bool { stoppedProcess != nil }

  private var stoppedProcess: Int32? {
    guard let process = try? UnixSockets.credentials(of: descriptor).pid,
      ProcessStat(of: process)?.isStopped == true
    else { return nil }
    return process
  }
}
