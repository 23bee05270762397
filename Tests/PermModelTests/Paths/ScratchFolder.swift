import Foundation
import Glibc

@testable import Machine

/// An empty folder for one test, which is removed afterwards.
final class ScratchFolder: Sendable {
  let path: String

  init(under parent: String = "/tmp") throws {
    var template = Array("\(parent)/resolver-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o755)
  }

  deinit { Folder.removeTree(path) }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  func folder(_ name: String) throws { try Folder.make(self(name)) }
  func file(_ name: String, _ text: String = "text") throws { try Files.make(self(name), text.utf8) }
  func link(_ name: String, to target: String) { symlink(target, self(name)) }
}

/// A process that does nothing until the test ends.
final class IdleProcess {
  private let process = Process()
  private let output = Pipe()
  let pid: Int32
  let startTime: UInt64

  /// Starts a shell command, which must print a line when it is ready, and then keep its process.
  init?(_ command: [String], in folder: String = "/") throws {
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let isReady = !output.fileHandleForReading.availableData.isEmpty
    guard isReady, let stat = ProcessStat(of: process.processIdentifier) else {
      process.waitUntilExit()
      return nil
    }
    pid = process.processIdentifier
    startTime = stat.startTime
  }

  static func sleeping(in folder: String) throws -> IdleProcess? {
    try IdleProcess(["/bin/sh", "-c", "echo ready; exec sleep 1000"], in: folder)
  }

  func end() {
    // The process inherits blocked signals from the thread that starts it, so only this one reaches it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { if process.isRunning { end() } }

  func find(_ path: String) throws(PathDoubt) -> ResolvedPath {
    try PathLookup.resolve(Array(path.utf8), in: ProcessView(of: pid, startedAt: startTime))
  }
}

extension PathLookup {
  /// Resolves a path for the process of the tests.
  static func find(_ path: [UInt8]) throws(PathDoubt) -> ResolvedPath {
    let process = ProcessHandle.own
    return try resolve(
      path, in: ProcessView(of: process, startedAt: ProcessStat(of: process)?.startTime ?? 0))
  }

  static func find(_ path: String) throws(PathDoubt) -> ResolvedPath { try find(Array(path.utf8)) }
}

extension ResolvedPath {
  var text: String { String(decoding: path, as: UTF8.self) }
  var spellingText: String { String(decoding: spelling, as: UTF8.self) }
}
