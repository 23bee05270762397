import CSystemd
import Machine

/// The loop that serves a bus on the thread that runs it. Between two messages, events and deadlines the thread sleeps.
struct BusLoop<Event: Sendable> {
  /// The events that other threads have for this one.
  final class Inbox: Sendable {
    private let events = Lock<[Event]>([])
    fileprivate let descriptor = csystemd_event()

    func add(_ event: Event) {
      events.withLock { $0.append(event) }
      eventfd_write(descriptor, 1)
    }

    fileprivate func takeAll() -> [Event] {
      var count: eventfd_t = 0
      eventfd_read(descriptor, &count)
      return events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  let bus: Bus
  let inbox: Inbox
  /// A descriptor to which what happens is written. The loop ends when nobody reads it any longer.
  var outlet: Int32 = -1

  /// The loop's next step after a turn.
  enum Turn {
    /// It goes on, and turns again at this monotonic moment in milliseconds at the latest; `nil` for no limit.
    case proceed(Int64?)
    case end
  }

  /// Serves the bus until it goes away, and returns the reason; `nil` if a turn has ended it.
  ///
  /// - Parameters:
  ///   - handle: Takes an event of another thread.
  ///   - turn: Does what is due.
  func run(_ handle: (Event) -> Void, _ turn: () -> Turn) -> BusError? {
    while true {
      do {
        while try onBus(sd_bus_process(bus.pointer, nil)) > 0 {}
      } catch {
        return error
      }
      inbox.takeAll().forEach(handle)
      guard case .proceed(let next) = turn() else { return nil }
      do throws(BusError) {
        guard try wait(until: next) else { return nil }
      } catch {
        return error
      }
    }
  }

  /// Waits for something to do. Returns false if the outlet is closed.
  private func wait(until next: Int64?) throws(BusError) -> Bool {
    let (descriptor, events) = (sd_bus_get_fd(bus.pointer), sd_bus_get_events(bus.pointer))
    guard descriptor >= 0, events >= 0 else { throw BusError(code: min(descriptor, events)) }
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
      // Without events to wait for, only the end is reported.
      pollfd(fd: outlet, events: 0, revents: 0),
    ]
    let result = poll(&descriptors, 3, timeout(next))
    guard result < 0 else { return descriptors[2].revents == 0 }
    let error = csystemd_error()
    guard error == EINTR else { throw BusError(code: -error) }
    return true
  }

  /// The time to sleep in milliseconds, rounded up; -1 for no limit.
  private func timeout(_ next: Int64?) -> Int32 {
    var library = UInt64.max
    sd_bus_get_timeout(bus.pointer, &library)
    let now = SystemClock.monotonic.milliseconds
    let moments = [next, library == .max ? nil : Int64(clamping: library / 1_000) + 1].compactMap(\.self)
    guard let first = moments.min() else { return -1 }
    return Int32(clamping: max(0, first - now))
  }
}
