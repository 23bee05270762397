extension Board {
  /// A task for the board's owner. Tasks are carried out in order.
  package enum Effect: Sendable {
    /// Claims the slot's exclusion category; for an item with a lease, by that lease.
    case claim(Int, for: Item.ID?)
    case release(Int)
    /// Makes the current version of an alert for its requests.
    case make(Item.ID, version: Int, [Request.ID])
    /// Looks whether decisions cover an item's requests by now.
    case judge(Item.ID, [Request.ID])
    /// Checks and stores how an item ends.
    case settle(Item.ID, Closing, [Request.ID])
    case note(Item.ID, Step, [Request.ID])
    case show(Visit)
    /// Hands the alert to a screen that waits for it.
    case hand(Alert, Visit)
    case hide(Visit)
    case end(Request.ID, Outcome)
    /// The item has left the board.
    case over(Item.ID)
    /// The board is to be told when this moment has come.
    case wake(at: Moment)
  }

  /// The way in which an item is to end.
  package enum Closing: Sendable {
    /// The response of a person who read the alert with this digest.
    case response(AlertResponse, to: AlertDigest?)
    /// The alert could not be shown.
    case failure(any Error)
  }

  /// A step in the life of an alert that goes into the journal.
  package enum Step: Hashable, Sendable {
    case shown
    /// Set aside, or shown again, by this place; `nil` if the place is not known.
    case setAside(by: Origin?), reopened(by: Origin?)
  }

  /// The way in which the wait for a request ends.
  package enum Outcome: Sendable {
    /// Ended in the store.
    case ended(RequestEnd)
    /// Ended before the request was in the store. Whoever puts it there closes it, too.
    case endedEarly(RequestEnd)
    /// The program no longer waits.
    case left
    case timedOut
    /// The request's values mean something else by now. It stays in the store, to be asked again.
    case askedAgain
    /// The program asks too often.
    case refused(RequestLimits.Refusal)
    case failed(any Error)
  }
}
