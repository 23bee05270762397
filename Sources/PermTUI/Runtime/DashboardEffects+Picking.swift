import PermBroker
import PermModel

// Answers to requests that the person picked from a list.

extension DashboardEffects {
  /// Reads requests in full, in the given order. Those that no longer wait are left out.
  func pick(_ ids: [Request.ID], _ verdict: Verdict?) async {
    do {
      let pending = Dictionary(try await services.answering.pending().map { ($0.id, $0) }) { first, _ in first
      }
      send(.picked(ids.compactMap { pending[$0] }, verdict))
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }

  func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) async {
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
    var answered = 0
    for pending in requests {
      let answer = Answer(verdict, atoms: pending.content.choices[0].atoms, lifetime: lifetime)
      do {
        try await services.answering.answer(pending.id, mine(answer), to: pending.digest)
        answered += 1
      } catch let error as StoreError {
        return report(Report.words(of: error), isError: true)
      } catch {
        // The request has ended or changed, or an answer before it has settled it.
      }
    }
    let left = requests.count - answered
    let rest = left > 0 ? " \(left) had ended or changed." : ""
    let kept = lifetime == .once ? [] : changes(keptFor: requests, since: start)
    send(
      .reported(
        Report(
          text: "\(verdict == .allow ? "Allowed" : "Denied") \(answered) of \(requests.count).\(rest)",
          isUndoable: !kept.isEmpty, changes: kept)))
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
