import Machine
package import PermModel

/// A check of a broker's sockets that collects good and bad findings. The check changes nothing.
package struct SocketCheckup {
  package private(set) var findings: [StoreCheckup.Finding] = []
  private let place: BrokerLocation

  package init(_ place: BrokerLocation) {
    self.place = place
    guard let best = place.addresses.first else {
      add(
        .problem, "there is no folder for the sockets that programs ask at",
        "\(BrokerSocketError.pathTooLong(store: place.lock))")
      return
    }
    for address in place.addresses { checkFolder(address, isBest: address == best) }
    checkBroker(best)
  }

  private mutating func add(_ level: StoreCheckup.Finding.Level, _ what: String, _ advice: String? = nil) {
    findings.append(StoreCheckup.Finding(level: level, what: what, advice: advice))
  }

  private mutating func checkFolder(_ address: BrokerAddress, isBest: Bool) {
    guard FileStatus(address.folder) != nil else {
      if isBest { add(.ok, "the sockets that programs ask at will be in \(address.folder)") }
      return
    }
    do throws(BrokerSocketError) {
      try SocketFolder.check(address.folder)
      add(.ok, "the folder \(address.folder) is yours alone")
      for socket in BrokerSocket.allCases { checkSocket(address.path(of: socket)) }
    } catch {
      add(.problem, "\(error)")
    }
  }

  private mutating func checkSocket(_ path: String) {
    guard let status = FileStatus(path) else { return }
    if status.kind != .socket {
      add(.problem, "\(path) is not a socket", "Move it away: a broker needs its place.")
    } else if status.isOpenToOthers {
      let mode = String(status.mode & 0o777, radix: 8)
      add(.problem, "\(path) is open to others (mode \(mode))", "chmod 600 \(path)")
    }
  }

  private mutating func checkBroker(_ best: BrokerAddress) {
    do {
      let broker = try BrokerConnection(to: .control, among: place.addresses)
      guard try broker.replies() else { return add(.problem, broker.silence) }
      let state = try broker.call(Methods.State.self, .init())
      add(.ok, "process \(state.pid) is the broker; requests that wait: \(state.waiting)")
      guard state.presenters == 0 else {
        return add(.ok, "dashboards that can show requests: \(state.presenters)")
      }
      add(
        .warning, "no dashboard is open, so programs ask on their own terminals, or wait",
        "Open permtui, or answer with permtui answer.")
    } catch BrokerSocketError.nobodyListens {
      let stale = place.addresses.flatMap { address in BrokerSocket.allCases.map { address.path(of: $0) } }
        .filter { FileStatus($0) != nil }
      guard stale.isEmpty else {
        return add(
          .warning, "a broker that is gone left its sockets behind: \(stale.joined(separator: ", "))",
          "The next one takes their place: open permtui, or run permtui serve.")
      }
      add(
        .ok, "no broker is running",
        "Programs ask on their own terminals, or wait. permtui and permtui serve are brokers.")
    } catch {
      add(.problem, "the broker cannot be used: \(error)")
    }
  }
}
