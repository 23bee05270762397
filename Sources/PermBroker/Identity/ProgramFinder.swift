import Machine
import PermModel

/// A search for the program behind a connected process.
///
/// A script connects by running `permtui`, so the connected process is not the script itself. The program is therefore
/// the nearest ancestor that is none of these: `permtui`, a launcher, a subshell of the same script, or a shell that
/// runs only a single given command. The result is evidence, not proof: a process can choose its parent, its arguments
/// and its name.
package struct ProgramFinder: Sendable {
  package let processes: any ProcessTable

  package init(processes: any ProcessTable) {
    self.processes = processes
  }

  /// Returns the program behind a process; `nil` if the process no longer exists.
  ///
  /// - Parameter withChain: Whether to inspect all ancestors, so that a person can be shown the whole chain. If
  ///   `false`, inspects only those needed to identify the program.
  package func program(behind pid: Int32, withChain: Bool = true) -> IdentifiedProgram? {
    let lineage = lineage(of: pid, isWhole: withChain)
    guard let seen = program(in: lineage) else { return nil }
    // In two cases all ancestors are needed: a program without a file is distinguished by its ancestors, and
    // a sandbox by its outermost process.
    guard !withChain, seen.file == nil || seen.sandbox != nil else { return seen }
    return program(in: self.lineage(of: pid, isWhole: true))
  }

  /// Returns the program that a process runs, even if it is one that acts for others, such as `ssh`; `nil` if the
  /// process no longer exists.
  package func program(runBy pid: Int32) -> IdentifiedProgram? {
    program(in: lineage(of: pid, isWhole: true), isFirst: true)
  }

  /// Returns the names of what a process and its ancestors run, from the outermost ancestor to the process itself; `nil` if
  /// the process no longer exists.
  package func chain(of process: ProcessIdentity) -> [String]? {
    let lineage = lineage(of: process.pid, isWhole: true)
    return lineage.first?.identity == process ? chain(of: lineage, to: 0) : nil
  }

  /// - Parameter isFirst: Whether the program is what the first process runs, in its own right.
  private func program(in lineage: [ProcessSnapshot], isFirst: Bool = false) -> IdentifiedProgram? {
    guard let peer = lineage.first else { return nil }
    let asker = isFirst ? 0 : asker(in: lineage)
    let process = lineage[asker ?? 0]
    var seen = IdentifiedProgram(
      peer: peer.identity, file: nil,
      evidence: Evidence(
        process: process.identity, program: process.displayName, chain: chain(of: lineage, to: asker ?? 0),
        terminal: process.terminal, workingDirectory: process.workingDirectory,
        isSandboxed: isSandboxed(peer)),
      sandbox: sandbox(of: lineage), parents: Self.fingerprint(of: lineage.dropFirst(asker ?? 0)))
    let isGiven = !isFirst && process.runsGivenText
    identify(&seen, peer: peer, process: asker == nil ? nil : process, runsGivenText: isGiven)
    return seen
  }

  private func sandbox(of lineage: [ProcessSnapshot]) -> Sandbox? {
    guard let peer = lineage.first, isSandboxed(peer), let namespace = peer.mountNamespace,
      let outermost = lineage.last(where: { $0.mountNamespace == namespace })
    else { return nil }
    return Sandbox(namespace: namespace, process: outermost.identity)
  }

  /// Returns a hash (FNV-1a) of the process's user and of the files that the process and its ancestors run.
  private static func fingerprint(of lineage: ArraySlice<ProcessSnapshot>) -> UInt64 {
    let words = lineage.map { $0.executable?.path ?? $0.name } + ["\(lineage.first?.user ?? 0)"]
    return words.joined(separator: "\0").utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  /// Sets the file that identifies the program, or the reason why the program is in doubt.
  private func identify(
    _ seen: inout IdentifiedProgram, peer: ProcessSnapshot, process: ProcessSnapshot?, runsGivenText: Bool
  ) {
    guard peer.executable != nil else { return seen.setUnreadable("process \(peer.pid) cannot be read") }
    guard peer.mountNamespace != nil, processes.mountNamespace != nil else {
      return seen.setUnreadable("it cannot be read whether process \(peer.pid) is in a sandbox")
    }
    guard let process else {
      seen.evidence.doubt = "what started process \(peer.pid) is gone or outside its sandbox"
      return
    }
    guard let executable = process.executable else {
      return seen.setUnreadable("process \(process.pid) cannot be read")
    }
    seen.evidence.program = executable.path
    switch process.program(runsGivenText: runsGivenText) {
    case .itself: identify(&seen, executable, of: process)
    case .unknown(let doubt): seen.evidence.doubt = doubt
    case .address(let address):
      seen.evidence.program = address
      seen.evidence.interpreter = executable.name
      seen.address = address
    case .script(let names):
      seen.evidence.interpreter = executable.name
      identify(&seen, names, of: process)
    }
  }

  /// Identifies the program by the running file, unless the file is gone from its path. A file that only root can
  /// replace is accepted even then.
  private func identify(_ seen: inout IdentifiedProgram, _ executable: SeenFile, of process: ProcessSnapshot)
  {
    if !process.isExecutableGone || executable.isProtected {
      seen.file = executable
    } else {
      seen.evidence.doubt = "its file was deleted or replaced while it runs"
    }
  }

  /// Identifies the program by the first script that can be found.
  private func identify(_ seen: inout IdentifiedProgram, _ scripts: [String], of process: ProcessSnapshot) {
    guard let found = scripts.firstResult(of: { processes.script(named: $0, givenTo: process) }) else {
      seen.evidence.program = scripts.last ?? ""
      seen.evidence.doubt = "the script \(seen.evidence.program) cannot be found"
      return
    }
    seen.evidence.program = found.file.path
    seen.evidence.doubt = found.doubt
    if found.doubt == nil { seen.file = found.file }
  }

  // MARK: The walk

  private static let longestLineage = 64

  /// Returns the process and its ancestors. Process 1 is left out, because it adopts processes that it did not start.
  ///
  /// - Parameter isWhole: Whether to return all ancestors. If `false`, stops when the program has been found.
  private func lineage(of pid: Int32, isWhole: Bool) -> [ProcessSnapshot] {
    var lineage: [ProcessSnapshot] = []
    var next = pid
    var isKnown = false
    while next > (lineage.isEmpty ? 0 : 1), lineage.count < Self.longestLineage,
      let process = isKnown ? processes.ancestor(next) : processes.process(next)
    {
      if let child = lineage.last {
        // If the supposed parent started after the child, it is a different process that has reused the parent's id.
        guard process.identity.startTime <= child.identity.startTime else { break }
        // A process outside the sandbox is not part of the program inside the sandbox.
        if isSandboxed(lineage[0]), process.mountNamespace != lineage[0].mountNamespace { break }
      }
      lineage.append(process)
      // A fork might be a subshell of its parent, so the parent must be inspected as well.
      if !isKnown, let asker = asker(in: lineage) { isKnown = asker < lineage.count - 1 || !process.isFork }
      if isKnown, !isWhole { break }
      next = process.parent
    }
    return lineage
  }

  /// Returns the index of the asking program in the lineage; `nil` if the lineage ends before a program is found.
  private func asker(in lineage: [ProcessSnapshot]) -> Int? {
    lineage.indices.first { index in
      let process = lineage[index]
      if process.passesOn { return false }
      let parent = lineage.indices.contains(index + 1) ? lineage[index + 1] : nil
      return !process.isSubshell(of: parent)
    }
  }

  private func isSandboxed(_ process: ProcessSnapshot) -> Bool {
    guard let its = process.mountNamespace, let ours = processes.mountNamespace else { return false }
    return its != ours
  }

  private static let longestChain = 8

  /// Returns the names of the program and its ancestors, from the outermost ancestor to the program itself.
  private func chain(of lineage: [ProcessSnapshot], to index: Int) -> [String] {
    var names: [String] = []
    for (place, process) in lineage.enumerated().dropFirst(index) {
      let parent = lineage.indices.contains(place + 1) ? lineage[place + 1] : nil
      if !process.isSubshell(of: parent) { names.append(process.chainName) }
    }
    return names.prefix(Self.longestChain).reversed()
  }
}

extension IdentifiedProgram {
  fileprivate mutating func setUnreadable(_ doubt: String) {
    evidence.doubt = doubt
    evidence.isUnreadable = true
  }
}

private enum RunProgram {
  /// The file that the process executes.
  case itself
  /// A script: the one that the process was given, or the first existing file among several default names.
  case script([String])
  /// A script at an address.
  case address(String)
  /// A program whose file cannot be determined, with the reason in words.
  case unknown(String)
}

extension ProcessSnapshot {
  private var interpreter: Interpreter? { executable.flatMap { Interpreter.named($0.name) } }

  /// Whether the program runs what it is given. An interpreter is known by its script.
  fileprivate var runsGivenText: Bool { interpreter == nil && ProgramTable.runsGivenText(displayName) }

  /// - Parameter runsGivenText: Whether the program runs text that another program gave it.
  fileprivate func program(runsGivenText: Bool) -> RunProgram {
    if let executable, executable.path.hasPrefix("/memfd:") {
      return .unknown("what process \(pid) runs is in memory only, and in no file")
    }
    if runsGivenText {
      return .unknown("\(displayName) runs what it is given, so it is not known which program asks")
    }
    guard let interpreter else { return .itself }
    switch interpreter.input(of: arguments) {
    case .script(let argument): return .script([argument])
    case .address(let address): return .address(address)
    case .code: return .unknown("\(displayName) runs code from its command line, which is in no file")
    case .module: return .unknown("\(displayName) runs a module, and it is not known which file that is")
    case .nothing where !interpreter.defaultScripts.isEmpty:
      return .script(interpreter.defaultScripts)
    case .nothing where readsTerminal: return .itself
    case .nothing, .input:
      return .unknown("\(displayName) runs what it reads from its input, which is in no file")
    }
  }

  var isShell: Bool { interpreter?.isShell ?? false }

  /// Whether the process only acts for the process that started it, by asking or by running something on its behalf.
  var passesOn: Bool {
    isClient || passesOnCommand || (isRootsProgram && ProgramTable.isLauncher(displayName))
  }

  /// Whether the process is a shell that runs a single command from its command line. Programs such as make
  /// and cron start shells in this way.
  private var passesOnCommand: Bool {
    guard let interpreter, interpreter.isShell else { return false }
    return interpreter.input(of: arguments) == .code
  }

  fileprivate func isSubshell(of parent: ProcessSnapshot?) -> Bool {
    guard isFork, let parent else { return false }
    return executable?.path == parent.executable?.path
      && executable?.identity == parent.executable?.identity && arguments == parent.arguments
  }

  fileprivate var chainName: String {
    if case .script(let names) = program(runsGivenText: runsGivenText), names.count == 1 {
      return names[0].lastPathPart
    }
    return displayName
  }
}
