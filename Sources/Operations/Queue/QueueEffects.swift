/// What a change of a queue's state wants done. The state itself does nothing.
struct QueueEffects<Item: AnyObject & Sendable> {
  /// Tickets to give back, before anything else.
  var releases = Few<SlotID>()
  /// Give each a task.
  var launches = Few<Item>()
  /// Whether the task that makes the change is free to go on with another operation.
  var hasFreeTask = false
  /// The operation that goes on in that task.
  var successor: Item?
  /// Ask the exclusion scheduler for each one's ticket.
  var requests = Few<Item>()
  /// Steps taken by operations that somebody watches, in order.
  var steps = Few<(item: Item, step: OperationStep)>()
  /// Whether an operation has begun to wait for a place.
  var hasNewWait = false
  /// Dependencies that ended, for operations whose conditions want to know.
  var news = Few<(item: Item, of: Item)>()
}
