import PermBroker
import PermModel

// Answers to requests that the person picked from a list.

extension DashboardEffects {
  /// Reads requests in full, in the given order. Those that no longer wait are left out.
  func pick(_ ids: [Alert.ID], _ verdict: Verdict?) async {
    do {
      let all = try await services.answering.pending().map { ($0.alertID, $0) }
      let pending = Dictionary(all) { first, _ in first }
      send(.picked(ids.compactMap { pending[$0] }, verdict))
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }

  func answer(_ id: Alert.ID, _ answer: Answer, to digest: AlertDigest) async {
    do {
      try await services.answering.answer(id, mine(answer), to: digest)
    } catch BrokerError.noSuchRequest {
      report("It was answered or withdrawn before your answer, which has no effect.", isError: true)
    } catch BrokerError.changed {
      report(
        "Nothing was answered: the question has changed since you opened it. Open it again.", isError: true)
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }

  /// Answers each request that has not changed since the person saw it in the list.
  func answerTogether(_ requests: [PendingRequest], _ verdict: Verdict, _ lifetime: LifetimeChoice) async {
    let start = try? services.store.journal(.all, .newest(1)).first?.id ?? 0
    let machines = Dictionary(grouping: requests, by: \.machine).values
    // Machines do not wait for each other. On each of them the order counts, because one answer can settle the next.
    let result = await withTaskGroup(of: AnsweredTogether.self) { group in
      for there in machines { group.addTask { await self.answer(each: there, verdict, lifetime) } }
      return await group.reduce(into: AnsweredTogether()) { $0.add($1) }
    }
    let own = requests.filter(\.machine.isEmpty)
    let kept = lifetime == .once ? [] : changes(keptFor: own, since: start)
    send(
      .reported(
        Report(
          text: result.words(verdict, of: requests.count), isError: !result.faults.isEmpty,
          isUndoable: !kept.isEmpty, changes: kept)))
  }

  private func answer(
    each requests: [PendingRequest], _ verdict: Verdict, _ lifetime: LifetimeChoice
  ) async -> AnsweredTogether {
    var result = AnsweredTogether()
    for pending in requests {
      let answer = Answer(verdict, atoms: pending.content.choices[0].atoms, lifetime: lifetime)
      do {
        try await services.answering.answer(pending.alertID, mine(answer), to: pending.digest)
        result.answered += 1
      } catch BrokerError.noSuchRequest, BrokerError.changed {
        // The request has ended or changed, or an answer before it has settled it.
        result.ended += 1
      } catch {
        result.faults.append(Report.words(of: error))
        break
      }
    }
    return result
  }

  /// Returns the changes with which the answers to these requests were kept, in the order in which they were made.
  private func changes(
    keptFor requests: [PendingRequest], since start: JournalEntry.ID?
  ) -> [DecisionChange.ID] {
    guard let start, let entries = try? services.store.journal(.all, .newer(than: start, 5_000)) else {
      return []
    }
    var changes: [DecisionChange.ID] = []
    for entry in entries where entry.kind == .decided && entry.origin == services.origin {
      guard let change = entry.change, !changes.contains(change),
        requests.contains(where: {
          $0.request.subject == entry.subject && $0.request.capability == entry.capability
        })
      else { continue }
      changes.append(change)
    }
    return changes
  }

  /// Returns the answer, marked as given in this dashboard.
  private func mine(_ answer: Answer) -> Answer {
    var answer = answer
    answer.origin = services.origin
    return answer
  }
}

/// The result of an answer to several requests.
private struct AnsweredTogether {
  var answered = 0
  /// The number of those that had ended or changed before.
  var ended = 0
  /// The reasons why others were not answered, as sentences.
  var faults: [String] = []

  mutating func add(_ other: AnsweredTogether) {
    answered += other.answered
    ended += other.ended
    faults += other.faults
  }

  func words(_ verdict: Verdict, of count: Int) -> String {
    let first = "\(verdict == .allow ? "Allowed" : "Denied") \(answered) of \(count)."
    let ended = self.ended > 0 ? ["\(self.ended) had ended or changed."] : []
    return ([first] + ended + faults.sorted()).joined(separator: " ")
  }
}
