import Machine
package import PermModel

// The states of capabilities, and their changes.

extension BrokerAnswerer {
  /// Returns the states of atoms for this program under the subject's label. The broker does not disclose the decisions
  /// behind them.
  package func judgement(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) async throws -> Judgement {
    do {
      return judge.judgement(on: atoms, try await standing(asking: atoms, judge))
    } catch BrokerSocketError.nobodyListens {
      return try await store.answerer().judgement(on: atoms, values, by: judge)
    }
  }

  /// Returns the states as the broker tells them. It looks the values up itself.
  private func standing(asking atoms: Set<Atom>, _ judge: Judge) async throws -> DecisionsInForce {
    let (subject, capability) = (judge.subject, judge.definition.name)
    // If no values are asked for, the states of all parts are of interest.
    let valued = atoms.contains { $0.scope != .any } ? atoms : nil
    let parameters = Methods.Status.Parameters(subject, capability, asking: valued)
    let reply = try await client.call(Methods.Status.self, parameters)
    return try DecisionsInForce(reply, of: subject, capability, asking: valued, at: now)
  }

  package func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void> {
    let parameters = Methods.Status.Parameters(judge.subject, judge.definition.name, asking: atoms)
    return .filled { send in
      send(())
      while !Task.isCancelled {
        // If neither the broker nor the store can be followed, the stream ends. The next lookup throws the reason.
        let end: Void? = try? await follow(parameters, atoms, values, judge) { send(()) }
        if end == nil { break }
      }
    }
  }

  /// Reports changes from the broker until it goes away. If no broker is running, reports changes from the
  /// store until one starts.
  ///
  /// - Throws: The reason why neither the broker nor the store can be followed.
  private func follow(
    _ parameters: Methods.Status.Parameters, _ atoms: Set<Atom>, _ values: Resolution, _ judge: Judge,
    _ changed: @escaping @Sendable () -> Void
  ) async throws {
    do {
      for try await _ in try client.replies(to: Methods.Status.self, parameters) { changed() }
    } catch BrokerError.disconnected {
      try await QuietClock.sleep(for: Self.pause)
    } catch BrokerSocketError.nobodyListens {
      let changes = try store.answerer().decisionChanges(on: atoms, values, by: judge)
      let watch = BrokerWatch(addresses)
      _ = try await first(
        of: {
          for await _ in changes { changed() }
          throw BrokerError.disconnected
        }, { await watch.waitUntilListening() ? true : nil })
    }
  }

  package func record(_ answer: AutomaticAnswer) async throws {
    // Sending a request makes the broker note that the decision was used. If the first reply says that the request is
    // waiting, the decision no longer applies. Returning from this call closes the connection, which withdraws the
    // request.
    guard let capability = answer.capability else { return }
    let parameters = Methods.Request.Parameters(
      id: makeID(), capability: capability, parts: answer.atoms.wholeParts,
      values: answer.atoms.wireValues ?? [], label: answer.subject.label,
      inFolder: answer.subject.folder == nil ? nil : true)
    do {
      for try await _ in try client.replies(to: Methods.Request.self, parameters) { return }
    } catch BrokerSocketError.nobodyListens {
      try store.record(answer)
    }
  }
}

extension DecisionsInForce {
  /// Creates a standing with one decision for each atom whose state the broker reported. The broker does not disclose
  /// the real decisions, so these represent only the states.
  ///
  /// - Parameter atoms: The atoms that were asked about, if they have values. The states of whole parts are then left
  ///   out, because a part can be denied for everything only because it is denied for a single other value.
  fileprivate init(
    _ reply: Methods.Status.Reply, of subject: Subject, _ capability: String, asking atoms: Set<Atom>?,
    at moment: Timestamp
  ) throws(BrokerError) {
    self.init()
    let allowed = try Set(capability, parts: reply.allowed, values: reply.allowedValues)
    let denied = try Set(capability, parts: reply.denied, values: reply.deniedValues)
    for (verdict, told) in [(Verdict.allow, allowed), (.deny, denied)] {
      let asked = atoms.map { told.intersection($0) } ?? told
      for atom in asked {
        decisions[atom] = Decision(
          subject: subject, atom: atom, verdict: verdict, lifetime: .forever, origin: .broker,
          decidedAt: moment)
      }
    }
  }
}
