import Machine

/// The process that spelled the values of a request, as far as their meaning depends on it.
package struct AskingProcess: Sendable {
  package let identity: ProcessIdentity
  /// Returns the working folder of the program. It is regarded as the project of files without a `.git` above them.
  let workingFolder: @Sendable () -> String?
  /// Returns the environments of the processes from this one up to the program for which it asks; `nil` if one cannot be
  /// read.
  let environments: @Sendable () -> [[String: String]]?
  /// The folder from which relative paths lead, and in which lines run, if the process itself must not be looked into.
  let vouchedFolder: String?

  package init(
    _ identity: ProcessIdentity, workingFolder: @autoclosure @escaping @Sendable () -> String?,
    environments: @escaping @Sendable () -> [[String: String]]?
  ) {
    self.identity = identity
    self.workingFolder = workingFolder
    self.environments = environments
    vouchedFolder = nil
  }

  /// A process behind walls. Its warden says where it works, its paths are looked up in the view of this process, which is
  /// the person's, and nothing is known about its environment.
  package static func behindWalls(workingIn folder: String?) -> AskingProcess {
    AskingProcess(vouchedFolder: folder ?? "/")
  }

  private init(vouchedFolder: String) {
    identity = Self.own.identity
    workingFolder = { vouchedFolder }
    environments = { nil }
    self.vouchedFolder = vouchedFolder
  }

  /// A path to the folder in which the process works.
  var pathOfFolder: String { vouchedFolder ?? "/proc/\(identity.pid)/cwd" }

  /// This process.
  package static let own = AskingProcess(
    ProcessIdentity(
      pid: ProcessHandle.own, startTime: ProcessStat(of: ProcessHandle.own)?.startTime ?? 0),
    workingFolder: Paths.target(ofLink: "/proc/self/cwd")
  ) { [Environment.variables] }

  /// Another process of this machine.
  package init(_ evidence: Evidence) {
    let pid = evidence.process.pid
    self.init(evidence.process, workingFolder: evidence.workingDirectory) {
      Environment.variables(of: pid).map { [$0] }
    }
  }
}

/// Whether the meaning of a request's values has been looked up.
package enum Resolution: Sendable {
  /// The values are as they are decided, and these facts are known about them.
  case done(ValueFacts)
  /// The values are as a process spelled them.
  case needed(by: AskingProcess)
}
