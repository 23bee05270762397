import PermModel

/// Finds the program behind a connected process.
///
/// For a script the process that is connected is always `permtui`, so the program is the nearest ancestor that is
/// neither that, nor a subshell of the same script, nor a shell that only passes one command on. What is found is
/// evidence, not proof: a process can pick its parent, its arguments and its name.
package struct ProgramFinder: Sendable {
  package let processes: any ProcessTable

  package init(processes: any ProcessTable) {
    self.processes = processes
  }

  /// Looks who is behind a process; `nil` if there is no such process any more.
  ///
  /// - Parameter withChain: Whether all ancestors shall be looked at, for a person to read, or no more than it takes
  ///   to tell the program.
  package func program(behind pid: Int32, withChain: Bool = true) -> SeenProgram? {
    let lineage = lineage(of: pid, isWhole: withChain)
    guard let peer = lineage.first else { return nil }
    let asker = asker(in: lineage)
    let process = lineage[asker ?? 0]
    var seen = SeenProgram(
      peer: peer.identity, file: nil,
      evidence: Evidence(
        process: process.identity, program: process.displayName, chain: chain(of: lineage, to: asker ?? 0),
        terminal: process.terminal, workingDirectory: process.workingDirectory,
        isSandboxed: isSandboxed(peer)))
    identify(&seen, peer: peer, process: asker == nil ? nil : process)
    return seen
  }

  /// Fills in the file that counts as the program, or the doubt.
  private func identify(_ seen: inout SeenProgram, peer: ProcessSnapshot, process: ProcessSnapshot?) {
    guard peer.executable != nil else {
      seen.evidence.doubt = "process \(peer.pid) cannot be read"
      return
    }
    guard peer.mountNamespace != nil, processes.mountNamespace != nil else {
      seen.evidence.doubt = "it cannot be read whether process \(peer.pid) is in a sandbox"
      return
    }
    guard let process else {
      seen.evidence.doubt = "what started process \(peer.pid) is gone or outside its sandbox"
      return
    }
    guard let executable = process.executable else {
      seen.evidence.doubt = "process \(process.pid) cannot be read"
      return
    }
    seen.evidence.program = executable.path
    seen.file = executable
    guard let script = process.script else { return noteIfGone(&seen, process) }
    seen.evidence.interpreter = executable.name
    seen.file = processes.firstFile(of: script, givenTo: process)
    if let file = seen.file {
      seen.evidence.program = file.path
    } else if case .named(let argument) = script {
      seen.evidence.program = argument
      seen.evidence.doubt = "the script \(argument) is not to be found"
    } else {
      seen.file = executable
      seen.evidence.interpreter = nil
    }
  }

  /// Says so where what runs is not, or not any more, in a file that a decision could be kept for.
  private func noteIfGone(_ seen: inout SeenProgram, _ process: ProcessSnapshot) {
    guard process.isExecutableGone, let executable = process.executable else { return }
    if executable.path.hasPrefix("/memfd:") {
      seen.file = nil
      seen.evidence.doubt = "it runs from memory, and no file stands behind it"
    } else {
      seen.evidence.doubt = "its file was deleted or replaced while it runs"
    }
  }

  // MARK: The walk

  private static let longestLineage = 64

  /// The process and its ancestors, without the system's first process, which also takes in orphans.
  ///
  /// - Parameter isWhole: `false` to end where the program is known.
  private func lineage(of pid: Int32, isWhole: Bool) -> [ProcessSnapshot] {
    var lineage: [ProcessSnapshot] = []
    var next = pid
    while next > (lineage.isEmpty ? 0 : 1), lineage.count < Self.longestLineage,
      let process = processes.process(next)
    {
      if let child = lineage.last {
        // A parent that started later is another process under the old number.
        guard process.identity.startTime <= child.identity.startTime else { break }
        // Outside its sandbox is somebody else.
        if isSandboxed(lineage[0]), process.mountNamespace != lineage[0].mountNamespace { break }
      }
      lineage.append(process)
      // A copy of its parent may be a subshell of it, so the parent has a say.
      if !isWhole, let asker = asker(in: lineage), asker < lineage.count - 1 || !process.isFork { break }
      next = process.parent
    }
    return lineage
  }

  /// The place of the program in the lineage; `nil` if the lineage ends before one is found.
  private func asker(in lineage: [ProcessSnapshot]) -> Int? {
    lineage.indices.first { index in
      let process = lineage[index]
      if process.isClient || process.passesOnCommand || process.isLauncher { return false }
      let parent = lineage.indices.contains(index + 1) ? lineage[index + 1] : nil
      return !process.isSubshell(of: parent)
    }
  }

  private func isSandboxed(_ process: ProcessSnapshot) -> Bool {
    guard let its = process.mountNamespace, let ours = processes.mountNamespace else { return false }
    return its != ours
  }

  private static let longestChain = 8

  /// Names of the ancestors, the outermost first, the program last.
  private func chain(of lineage: [ProcessSnapshot], to index: Int) -> [String] {
    var names: [String] = []
    for (place, process) in lineage.enumerated().dropFirst(index) {
      let parent = lineage.indices.contains(place + 1) ? lineage[place + 1] : nil
      if !process.isSubshell(of: parent) { names.append(process.chainName) }
    }
    return names.prefix(Self.longestChain).reversed()
  }
}

/// Which script an interpreter runs.
enum ScriptSource: Hashable {
  case named(String)
  /// One of these, the first that is there.
  case defaults([String])
}

extension ProcessSnapshot {
  private var interpreter: Interpreter? { executable.flatMap { Interpreter.named($0.name) } }

  /// The script that it runs; `nil` if it is no interpreter, or runs none.
  var script: ScriptSource? {
    guard let interpreter else { return nil }
    switch interpreter.input(of: arguments) {
    case .script(let argument): return .named(argument)
    case .code: return nil
    case .other: return interpreter.defaultScripts.isEmpty ? nil : .defaults(interpreter.defaultScripts)
    }
  }

  var isShell: Bool { interpreter?.isShell ?? false }

  /// The command `permtui`, which asks for others.
  fileprivate var isClient: Bool { executable?.name == "permtui" }

  /// A shell that runs the one command it was given, as make, cron and `system()` start it.
  fileprivate var passesOnCommand: Bool {
    guard let interpreter, interpreter.isShell else { return false }
    return interpreter.input(of: arguments) == .code
  }

  /// A command that only starts another one, with a limit or in a new session.
  fileprivate var isLauncher: Bool {
    let launchers: Set<String> = ["timeout", "setsid", "time", "flock", "xargs"]
    return executable.map { launchers.contains($0.name) } ?? false
  }

  fileprivate func isSubshell(of parent: ProcessSnapshot?) -> Bool {
    guard isFork, let parent else { return false }
    return executable == parent.executable && arguments == parent.arguments
  }

  fileprivate var chainName: String {
    if case .named(let argument) = script { return argument.lastPathPart }
    return displayName
  }
}

extension ProcessTable {
  fileprivate func firstFile(of script: ScriptSource, givenTo process: ProcessSnapshot) -> SeenFile? {
    switch script {
    case .named(let argument): file(named: argument, givenTo: process)
    case .defaults(let names): names.lazy.compactMap { file(named: $0, givenTo: process) }.first
    }
  }
}
