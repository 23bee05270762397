/// The person's bus, for a command that makes a few calls.
enum SessionBus {
  static func open() throws(PortalEnd) -> Bus {
    do throws(BusError) { return try Bus() } catch {
      throw PortalEnd(reason: "there is no session bus: \(error)")
    }
  }

  /// Serves the bus until a condition holds, or until nobody reads the outlet.
  static func turn(_ bus: Bus, outlet: Int32 = -1, until isDone: () -> Bool) throws(PortalEnd) {
    let error = BusLoop(bus: bus, inbox: BusLoop<Never>.Inbox(), outlet: outlet).run { _ in
    } _: {
      isDone() ? .end : .proceed(nil)
    }
    if let error { throw PortalEnd(reason: "the session bus has gone: \(error)") }
  }
}

/// The reason why the program has ended.
struct PortalEnd: Error, CustomStringConvertible {
  var reason: String
  var description: String { reason }
}
