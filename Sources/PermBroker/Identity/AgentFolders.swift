import Machine
import PermModel

/// The folders in which processes worked when they were first seen asking, and the programs that have asked as agents.
///
/// A process can change its folder at any time. An agent's decisions hold for the folder in which it began, so the
/// folder is remembered for as long as the process lives.
final class AgentFolders: Sendable {
  private struct State {
    var folders: [ProcessIdentity: ProgramFolder] = [:]
    var nextSweep = 64
    var agents: Set<Agent> = []
    /// The processes that have asked as agents.
    var processes: [ProcessIdentity: Subject] = [:]
    /// The agents about whose earlier files nothing is decided any more.
    var upToDate: Set<Subject> = []
    /// The agents to which a person did not carry over what was decided about their earlier files.
    var declined: Set<Subject> = []
  }

  /// A program that has asked as an agent.
  private struct Agent: Hashable {
    var path: String?
    var label: String

    init(_ subject: Subject) { (path, label) = (subject.path, subject.label) }
  }

  /// The greatest number of agents that are remembered. The store knows those about which something is kept.
  private static let mostAgents = 1_000
  private static let mostProcesses = 10_000
  /// The greatest number of processes that are recorded for the next broker.
  private static let mostRecorded = 500

  private let state = Lock(State())
  private let record = Lock<AgentRecord?>(nil)
  private let look: @Sendable (ProcessIdentity) -> ProgramFolder?
  private let isRunning: @Sendable (ProcessIdentity) -> Bool

  init(
    look: @escaping @Sendable (ProcessIdentity) -> ProgramFolder?,
    isRunning: @escaping @Sendable (ProcessIdentity) -> Bool
  ) {
    self.look = look
    self.isRunning = isRunning
  }

  /// Returns the folder in which a process worked when it was first seen asking; `nil` if it cannot be determined. The
  /// first call for a process remembers its current folder.
  func folder(of process: ProcessIdentity) -> ProgramFolder? {
    if let known = state.withLock({ $0.folders[process] }) { return known }
    guard let now = look(process) else { return nil }
    sweep()
    return state.withLock { state in
      if let known = state.folders[process] { return known }
      state.folders[process] = now
      return now
    }
  }

  /// Remembers that a program asks as an agent, in this process.
  func noteAgent(_ subject: Subject, process: ProcessIdentity?) {
    let isNew = state.withLock { state in
      if state.agents.count >= Self.mostAgents { state.agents.removeFirst() }
      state.agents.insert(Agent(subject))
      guard let process, state.processes.count < Self.mostProcesses else { return false }
      return state.processes.updateValue(subject, forKey: process) == nil
    }
    if isNew { writeRecord() }
  }

  /// Remembers the running processes that an earlier broker has recorded, and records new ones from now on.
  func keep(in record: AgentRecord) {
    let running = record.read().filter { isRunning($0.key) }
    for (process, subject) in running {
      noteAgent(subject, process: process)
      guard let folder = subject.folder, folder != .unknown else { continue }
      state.withLock { $0.folders[process] = folder }
    }
    self.record.withLock { $0 = record }
  }

  private func writeRecord() {
    record.withLock { record in
      guard let record else { return }
      let newest = state.withLock { $0.processes }.sorted { $0.key.startTime > $1.key.startTime }
      // A program that copies itself without end would otherwise make each of its processes more expensive.
      let running = newest.prefix(2 * Self.mostRecorded).filter { isRunning($0.key) }.prefix(
        Self.mostRecorded)
      record.write(Dictionary(uniqueKeysWithValues: running.map { ($0.key, $0.value) }))
    }
  }

  /// Whether a program has asked as an agent. If so, all of its requests are made in its folder, even if they do not
  /// say so, because the program could otherwise evade the denials for that folder.
  func isAgent(_ subject: Subject) -> Bool { state.withLock { $0.agents.contains(Agent(subject)) } }

  /// The moment at which the first of the processes that have asked as agents was started; `nil` if there are none.
  var since: UInt64? { state.withLock { $0.processes.keys.map(\.startTime).min() } }

  /// Whether nothing is decided about earlier files of an agent.
  func isUpToDate(_ subject: Subject) -> Bool { state.withLock { $0.upToDate.contains(subject) } }

  func noteUpToDate(_ subject: Subject) {
    state.withLock { state in
      if state.upToDate.count >= Self.mostAgents { state.upToDate.removeAll() }
      state.upToDate.insert(subject)
    }
  }

  /// Whether a person did not carry over what was decided about earlier files of an agent.
  func isDeclined(_ subject: Subject) -> Bool { state.withLock { $0.declined.contains(subject) } }

  func noteDeclined(_ subject: Subject) {
    state.withLock { state in
      if state.declined.count >= Self.mostAgents { state.declined.removeAll() }
      state.declined.insert(subject)
    }
  }

  /// Returns the agent as which a process has asked; `nil` if it has not asked as one.
  func agent(_ process: ProcessIdentity) -> Subject? { state.withLock { $0.processes[process] } }

  /// Remembers the folders of the agents whose requests an earlier broker left waiting.
  func inherit(_ waiting: [Request]) {
    for request in waiting where request.subject.folder != nil {
      noteAgent(request.subject, process: request.evidence?.process)
    }
    state.withLock { state in
      for request in waiting {
        guard let folder = request.subject.folder, let process = request.evidence?.process else { continue }
        state.folders[process] = folder
      }
    }
  }

  /// Forgets the processes that have ended, whenever the number of processes has doubled.
  private func sweep() {
    let known = state.withLock { $0.folders.count < $0.nextSweep ? [] : Array($0.folders.keys) }
    guard !known.isEmpty else { return }
    let ended = known.filter { !isRunning($0) }
    state.withLock { state in
      for process in ended { (state.folders[process], state.processes[process]) = (nil, nil) }
      state.nextSweep = max(64, state.folders.count * 2)
    }
  }

  /// The number of processes that are remembered.
  var count: Int { state.withLock { $0.folders.count } }
}
