import Foundation
import Machine
import Testing

@testable import PermModel

@Suite("Moments at the ends of time")
struct TimestampTests {
  @Test("are the result of sums and differences that no number is there for")
  func clamped() {
    let end = Timestamp(microseconds: .max)
    let start = Timestamp(microseconds: .min)
    #expect(end + .seconds(1) == end)
    #expect(start + .seconds(-1) == start)
    #expect(Timestamp(microseconds: 0) + .seconds(Int64.max) == end)
    #expect(end - start == .microseconds(Int64.max))
    #expect(start - end == .microseconds(Int64.min))
    #expect(Timestamp(seconds: .max) == end)
    #expect(Timestamp(seconds: .min) == start)
  }

  @Test("count the ticks of a process from the start of the machine")
  func start() {
    let boot = Timestamp(seconds: 1_000)
    let tick = SystemClock.nanosecondsPerTick
    let second = ProcessIdentity(pid: 1, startTime: UInt64(1_000_000_000 / tick))
    #expect(second.start(ofBootAt: boot) == Timestamp(seconds: 1_001))
    #expect(
      ProcessIdentity(pid: 1, startTime: .max).start(ofBootAt: boot) == Timestamp(microseconds: .max))
    let own = ProcessIdentity.current.start(ofBootAt: .ofBoot)
    #expect(own > .ofBoot && own <= .now + .seconds(1))
  }

  @Test("end a decision when they are there", arguments: [Int64.min, .max])
  func deadline(bootTime: Int64) {
    let moment = Moment(wall: Timestamp(seconds: 1), bootID: "boot", bootTime: 5, session: { "" }) { _ in true
    }
    let deadline = Deadline(wall: Timestamp(microseconds: .max), bootID: "boot", bootTime: bootTime)
    #expect((Lifetime.until(deadline).end(asOf: moment) != nil) == (bootTime == .min))
  }

  @Test(
    "that a clock shows in whole seconds become units as far as there are numbers",
    arguments: [
      (9_223_372_037, Int64.max, 9_223_372_037_500_000), (-9_223_372_037, .min, -9_223_372_036_500_000),
      (1, 1_500_000_000, 1_500_000), (.max, .max, .max), (.min, .min, .min),
    ] as [(Int64, Int64, Int64)])
  func clock(seconds: Int64, nanoseconds: Int64, microseconds: Int64) {
    func count(_ units: Int64) -> Int64 {
      SystemClock.count(ofUnitsPerSecond: units, seconds, nanoseconds: 500_000_000)
    }
    #expect(count(1_000_000_000) == nanoseconds)
    #expect(count(1_000_000) == microseconds)
  }

  @Test("of a file that lie after 2262 are read", arguments: [9_223_372_037, 15_000_000_000] as [Int])
  func file(_ seconds: Int) throws {
    let folder = try TestFolder()
    let path = folder.path + "/file"
    try Files.make(path)
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    let found = try #require(FileStatus(path)).modified
    // A file system without numbers for such moments keeps its last one.
    #expect(found > 2_000_000_000_000_000)
  }
}
