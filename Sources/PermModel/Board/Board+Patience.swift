// The limits on requests that need a new alert, and the requests that wait for a place among them.

extension Board {
  /// The result of counting a request that needs a new alert.
  enum Admission {
    case free
    case admitted(RequestLimits.Admission)
    /// The request waits for a place, without an alert.
    case later
  }

  mutating func admit(
    _ question: Question, as id: Item.ID, at now: Moment
  ) throws(RequestLimits.Refusal) -> Admission {
    guard let charge = question.charge else { return .free }
    let account = charge.account
    if charge.isInherited { return (limits?.readmit(account)).map(Admission.admitted) ?? .free }
    do throws(RequestLimits.Refusal) {
      return try count(account, at: now)
    } catch {
      guard charge.isPatient, let wait = error.wait, patients.begin(id, account, trying: wait, at: now) else {
        throw error
      }
      wakeForPatients()
      return .later
    }
  }

  private mutating func count(_ account: CostAccount, at now: Moment) throws(RequestLimits.Refusal)
    -> Admission
  {
    (try limits?.admit(account, at: now)).map(Admission.admitted) ?? .free
  }

  /// Tries again whether requests that wait for a place get one. The board's owner calls this at the moment of the effect
  /// ``Effect/wake(at:)``.
  mutating func wake(at now: Moment) {
    while let (id, wait) = patients.due(at: now) { retry(id, wait, at: now) }
    wakeForPatients()
  }

  private mutating func retry(_ id: Item.ID, _ wait: PatientRequests.Wait, at now: Moment) {
    do throws(RequestLimits.Refusal) {
      if case .admitted(let admission) = try count(wait.account, at: now) { items[id]?.admission = admission }
      patients.end(id)
      items[id]?.phase = .inLine
      lineUp(id)
    } catch {
      guard let pause = error.wait, now < wait.deadline else { return refuse(id, error) }
      patients.again(id, in: pause, at: now)
    }
  }

  private mutating func refuse(_ id: Item.ID, _ refusal: RequestLimits.Refusal) {
    let outcomes = (items[id]?.requests ?? []).map { ($0, Outcome.refused(refusal)) }
    patients.end(id)
    end(Dictionary(uniqueKeysWithValues: outcomes), of: id)
  }

  private mutating func wakeForPatients() {
    if let next = patients.next { emit(.wake(at: next)) }
  }
}
