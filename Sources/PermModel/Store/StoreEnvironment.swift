import Machine

/// The parts of the machine on which a store depends: clocks, a source of IDs, and checks for running
/// sessions and processes.
public struct StoreEnvironment: Sendable {
  package var now: @Sendable () -> Moment
  /// Returns a random ID that nobody can guess.
  package var makeID: @Sendable () -> String
  /// The process in which this code runs.
  package var thisProcess: ProcessIdentity
  /// Waits until the process or session on which a lifetime depends has ended, and then returns `true`. Returns `false`
  /// immediately if the lifetime ends by the clock, never ends, or has an end that cannot be noticed. Also returns
  /// `false` if the task is cancelled.
  package var untilEnd: @Sendable (Lifetime) async -> Bool
  /// Returns the definition of the capability with a name, which says which parts imply others; `nil` if there is none.
  package var definition: @Sendable (String) -> CapabilityDefinition? = {
    CapabilityCatalogue.builtIn[$0]?.definition
  }

  /// The names that no decision about a wider scope covers, such as the files of the store itself.
  package var protected: ProtectedNames { protection.names }
  private var protection = Protection { .current }

  package init(
    now: @escaping @Sendable () -> Moment, makeID: @escaping @Sendable () -> String,
    thisProcess: ProcessIdentity, untilEnd: @escaping @Sendable (Lifetime) async -> Bool = { _ in false }
  ) {
    self.now = now
    self.makeID = makeID
    self.thisProcess = thisProcess
    self.untilEnd = untilEnd
  }
}

extension StoreEnvironment {
  /// Protects a store's files as well.
  mutating func protect(storeAt path: String) {
    protection = Protection { [protection, path = Paths.absolute(path)] in
      protection.names.protecting(storeAt: path)
    }
  }
}

/// Protected names, which are computed on first use. That takes about twenty look-ups of files, and most processes that
/// open a store never need the names.
private final class Protection: Sendable {
  private let make: @Sendable () -> ProtectedNames
  private let made = Lock<ProtectedNames?>(nil)

  init(make: @escaping @Sendable () -> ProtectedNames) { self.make = make }

  var names: ProtectedNames {
    if let made = made.withLock(\.self) { return made }
    let names = make()
    made.withLock { $0 = names }
    return names
  }
}
