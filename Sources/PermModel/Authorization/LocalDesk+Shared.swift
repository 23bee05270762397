import Machine

// One desk for all authorizers with the same store and the same screen, so that their requests can share alerts.

extension LocalDesk {
  private struct Place: Hashable {
    let store: ObjectIdentifier
    let slot: ObjectIdentifier
    let environment: ProbeEnvironment
  }

  private struct Entry: Sendable {
    weak var desk: LocalDesk?
  }

  private static let desks = Lock<[Place: Entry]>([:])

  /// Returns the desk of a store and a slot: the existing one if it is still in use, or a new one.
  static func shared(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment
  ) -> LocalDesk {
    let place = Place(
      store: ObjectIdentifier(store as AnyObject), slot: ObjectIdentifier(slot), environment: environment)
    return desks.withLock { desks in
      if let desk = desks[place]?.desk { return desk }
      desks = desks.filter { $0.value.desk != nil }
      let desk = LocalDesk(store: store, slot: slot, environment: environment)
      desks[place] = Entry(desk: desk)
      return desk
    }
  }
}
