/// The hand-written way to run one piece of work at a time.
actor ActorMutex {
  private var isHeld = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var first = 0

  func lock() async {
    if !isHeld {
      isHeld = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  func unlock() {
    guard first < waiters.count else {
      isHeld = false
      waiters.removeAll(keepingCapacity: true)
      first = 0
      return
    }
    first += 1
    waiters[first - 1].resume()
  }
}
