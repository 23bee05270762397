/// The folder in which a process works.
package struct WorkingFolder: Hashable, Sendable {
  package var path: String
  package var status: FileStatus

  /// Reads the working folder of a process; `nil` if the process has ended or must not be examined, or if the folder
  /// was removed.
  ///
  /// - Parameter startTime: The start of the process, which distinguishes it from a later process with the same number.
  package init?(of process: Int32, startedAt startTime: UInt64) {
    guard let folder = try? PathDescriptor("/proc/\(process)/cwd".utf8), let status = folder.status,
      status.links > 0,
      let bytes = Paths.targetBytes(ofLink: "/proc/self/fd/\(folder.number)"),
      bytes.first == ResolvedPath.slash,
      let path = String(validating: bytes, as: UTF8.self),
      // The descriptor belongs to the right process if that process still runs now.
      let stat = ProcessStat(of: process), stat.isRunning, stat.startTime == startTime
    else { return nil }
    self.path = path
    self.status = status
  }
}
