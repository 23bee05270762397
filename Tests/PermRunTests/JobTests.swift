import Glibc
import Testing

@testable import PermRun

@Suite("The job that a program behind walls is")
struct JobTests {
  private func alone(hasKeys: Bool = true) -> Job {
    var job = Job(wantsKeys: true)
    _ = job.begin(hasKeys, asPromised: hasKeys)
    return job
  }

  @Test("Alone in front, it takes the keys at once")
  func beginsInFront() {
    var job = Job(wantsKeys: true)
    #expect(job.begin(true, asPromised: true) == [.takeKeys])
    #expect(job.hasKeys)
  }

  @Test("In a pipeline or in the background, it leaves them")
  func beginsWithoutKeys() {
    var inPipeline = Job(wantsKeys: false)
    #expect(inPipeline.begin(true, asPromised: false) == [.copySize, .give(.back)])
    var behind = Job(wantsKeys: true)
    #expect(behind.begin(false, asPromised: false) == [])
    #expect(!inPipeline.hasKeys && !behind.hasKeys)
  }

  @Test("If another job has come in front meanwhile, the program is told")
  func comesBehindMeanwhile() {
    var job = Job(wantsKeys: true)
    #expect(job.begin(false, asPromised: true) == [.copySize, .give(.back)])
  }

  @Test("A program that reads in front gets the keys", arguments: [SIGTTIN, SIGTTOU])
  func readsInFront(signal: Int32) {
    var job = Job(wantsKeys: false)
    #expect(job.programStopped(by: signal, isInFront: true) == [.copySize, .takeKeys, .give(.front)])
    #expect(job.hasKeys)
  }

  @Test("A program that reads in the background stops the job, and has the keys when it comes in front")
  func readsBehind() {
    var job = Job(wantsKeys: false)
    #expect(
      job.programStopped(by: SIGTTIN, isInFront: false) == [.leaveKeys, .stop(by: SIGTTIN, withGroup: true)])
    #expect(job.goOn(true, wasStopped: true) == [.copySize, .takeKeys, .give(.front)])
  }

  @Test("A key that stops the program stops the whole job")
  func stops() {
    var job = alone()
    #expect(
      job.programStopped(by: SIGTSTP, isInFront: true) == [.leaveKeys, .stop(by: SIGTSTP, withGroup: true)])
    #expect(!job.hasKeys)
  }

  @Test("If the job was told to stop from outside, the others of it are not told twice")
  func stopsFromOutside() {
    var job = alone()
    #expect(job.take(SIGTSTP, isInFront: true) == [.give(.stop)])
    #expect(
      job.programStopped(by: SIGTSTP, isInFront: true) == [.leaveKeys, .stop(by: SIGTSTP, withGroup: false)])
  }

  @Test("If no shell would continue it, a program that reads in the background waits")
  func cannotStop() {
    var job = Job(wantsKeys: false)
    _ = job.programStopped(by: SIGTTIN, isInFront: false)
    #expect(job.goOn(false, wasStopped: false) == [.give(.front)])
    #expect(!job.hasKeys)
  }

  @Test("Signals of the terminal are passed on, and a new size also to a program behind")
  func signals() {
    var job = alone()
    #expect(job.take(SIGINT, isInFront: true) == [.give(.interrupt)])
    #expect(job.take(SIGQUIT, isInFront: true) == [.give(.quit)])
    #expect(job.take(SIGWINCH, isInFront: true) == [.copySize])
    job.lostFront()
    #expect(job.take(SIGWINCH, isInFront: false) == [.copySize, .give(.resize)])
    #expect(job.take(SIGCONT, isInFront: false) == [.copySize, .give(.back)])
  }
}
