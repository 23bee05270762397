/// An observer of a whole queue. It sees each operation by itself, so it follows none into those that it brings.
struct QueueObserver: OperationObserver {
  private let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    observer.observe(event, of: operation)
  }
}
