import Machine
import PermModel

/// The facts that answer a Deno process's questions without the store. They are forgotten after any change of the store.
final class DenoMemory: Sendable {
  struct AskingProgram: Sendable {
    var seen: IdentifiedProgram
    var subject: Subject
  }

  private struct Facts: Sendable {
    /// The version of the store at which the facts were read.
    var version: Int
    var asker: AskingProgram
    var standings: [String: Remembered] = [:]
  }

  fileprivate struct Remembered: Sendable {
    var standing: DecisionsInForce
    /// The decisions that can end without a change of the store.
    var ending: [Decision]
  }

  /// The maximum number of decisions to remember. With more of them, the store is faster.
  private static let most = 200

  private let facts = Lock<Facts?>(nil)
  private let first = Lock<AskingProgram?>(nil)

  /// The program that asked first over this connection; `nil` if none has asked.
  var firstAsker: AskingProgram? { first.withLock { $0 } }

  /// Checks that a program is the one that asked first over this connection. A process can change its working folder,
  /// so that the name in its command line leads to another script than the one that it runs.
  func check(_ asker: AskingProgram) throws(DenoRefusal) {
    let known = first.withLock { known -> AskingProgram in
      let kept = known ?? asker
      known = kept
      return kept
    }
    guard known.seen.isSame(as: asker.seen), known.subject == asker.subject else {
      throw DenoRefusal(
        "the program has changed; if the script changes its working folder, start it by its whole path")
    }
  }

  /// Returns the program that asks.
  ///
  /// - Parameters:
  ///   - version: The current version of the store.
  ///   - look: Looks the program up.
  func asker(at version: Int, _ look: () throws -> AskingProgram) throws -> AskingProgram {
    if let facts = facts.withLock({ $0 }), facts.version == version { return facts.asker }
    let asker = try look()
    try check(asker)
    facts.withLock { $0 = Facts(version: version, asker: asker) }
    return asker
  }

  /// Returns the decisions about the program that asks.
  ///
  /// - Parameter version: The current version of the store.
  func standing(
    of subject: Subject, capability: String, asking atoms: Set<Atom>?, in store: any PermissionStore,
    at version: Int
  ) throws -> DecisionsInForce {
    let known = facts.withLock { $0.flatMap { $0.version == version ? $0.standings[capability] : nil } }
    if let known, known.isWhole(at: store.environment) { return known.standing }
    let all = try store.standing(of: subject, capability: capability)
    guard all.decisions.count + all.everyone.count <= Self.most else {
      return try store.standing(of: subject, capability: capability, asking: atoms)
    }
    facts.withLock { facts in
      guard facts?.version == version, facts?.asker.subject == subject else { return }
      facts?.standings[capability] = Remembered(standing: all, ending: all.ending)
    }
    return all
  }
}

extension DenoMemory.Remembered {
  /// Whether none of the decisions has ended.
  fileprivate func isWhole(at environment: StoreEnvironment) -> Bool {
    guard !ending.isEmpty else { return true }
    let moment = environment.now()
    return ending.allSatisfy { $0.isInForce(at: moment) }
  }
}

extension DecisionsInForce {
  fileprivate var ending: [Decision] {
    (decisions.values + everyone + [mute].compactMap(\.self)).filter {
      $0.lifetime != .forever || $0.subject.sandbox != nil
    }
  }
}
