import CWalls
import Machine
import PermBroker
import PermModel

// Sockets of the Unix family. The warden finds the entry as the program sees it, and connects to the entry that it has found.
extension NetworkWarden {
  func connectLocal(
    _ attempt: Attempt, _ path: [UInt8], _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    if settings.answerer.doors.contains(where: { $0.bytes == path }) { return try enter(attempt, socket) }
    let entry = try entry(path, of: attempt.call.request.thread)
    guard entry.status.kind == .socket else { throw Failure(ECONNREFUSED) }
    if own.has(entry.status) || isBoundByRun(entry.status) {
      try connect(socket, to: entry)
      return .ends(0)
    }
    // A socket file of the shadow leads to no process outside, so a program inside must have bound it.
    var reason = ECONNREFUSED
    if entry.isInShadow {
      do throws(Failure) {
        try connect(socket, to: entry)
        return .ends(0)
      } catch { reason = error.code }
    }
    // The kernel denies access to the files of users that do not exist inside.
    guard [ECONNREFUSED, EACCES].contains(reason) else { throw Failure(reason) }
    return try connectToHost(attempt, try entry.path(), socket)
  }

  /// Puts a connection to the broker in the place of a program's socket, after the broker has been told for which process it
  /// is. The path itself does not exist behind the walls, so nothing else can lie there.
  private func enter(_ attempt: Attempt, _ socket: TakenSocket) throws(Failure) -> WaitingCall.Outcome {
    guard socket.isStream else { throw Failure(EPROTOTYPE) }
    let thread = attempt.call.request.thread
    guard let folder = try? AbsolutePath(try targetOfLink("/proc/\(thread)/cwd")) else { throw .stale }
    let visit = DoorVisit(thread: thread, folder: folder)
    guard let made = workers.waiting({ try? settings.answerer.enter(visit) }) else {
      throw Failure(ECONNREFUSED)
    }
    walls_set_blocking(made.descriptor, socket.facts.is_blocking)
    try put(made.descriptor, attempt)
    return .ends(0)
  }

  private func connectToHost(
    _ attempt: Attempt, _ path: AbsolutePath, _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    guard !NameServices.contain(path) else { throw Failure(ECONNREFUSED) }
    let use = NetworkUse.socket(.socket(path))
    let remark =
      "\(Scope.path(path).text) is a socket of this machine; whoever may use it can leave the walls"
    guard try permit([use], for: attempt, remark) else { return .waits }
    let entry = try Entry(onHost: path)
    let isHidden = settings.hidden.contain(device: entry.status.device, inode: entry.status.inode)
    guard entry.status.kind == .socket, !isHidden else { throw Failure(ECONNREFUSED) }
    settings.answerer.leave()
    try connect(socket, to: entry)
    try note(socket.facts, Permission(needed: [[use]]))
    return .ends(0)
  }

  /// Binds a socket at a new name. Outside of the run's own folders, this is a file that is made.
  func bindLocal(
    _ attempt: Attempt, _ path: [UInt8], _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    let thread = attempt.call.request.thread
    let end = path.lastIndex(of: 0x2f)
    let folder = try find(end.map { Array(path[...$0]) } ?? [0x2e], of: thread)
    let name = try Name((end.map { path[($0 + 1)...] } ?? path[...]).map { CChar(bitPattern: $0) } + [0])
    let place = try folder.path().entry(name)
    if folder.isInShadow {
      guard try permit([.socket(.write(place))], for: attempt) else { return .waits }
    }
    let mask = walls_mode_mask(thread)
    try name.with { text throws(Failure) in
      _ = try workers.waiting { () throws(Failure) in
        try checked(walls_bind_local(socket.descriptor, folder.descriptor, text, mask))
      }
    }
    state.withLock { if $0.boundSockets.count < 4096 { $0.boundSockets[name.bytes] = place.bytes } }
    if !folder.isInShadow { noteBound(socket) }
    return .ends(0)
  }

  /// Notes the file of a socket that was bound in a folder of the host, so that it is not asked about as one of the host's.
  /// The socket itself tells which file it is: its name may lead to another one by now.
  private func noteBound(_ socket: TakenSocket) {
    let file = walls_open_bound(socket.descriptor)
    guard file >= 0 else { return }
    guard let status = FileStatus(of: file), !own.has(status),
      state.withLock({ keep(status.key, file, in: &$0) })
    else {
      close(file)
      return
    }
  }

  private func keep(_ key: LinkedFile, _ file: Int32, in state: inout State) -> Bool {
    guard state.ownFiles.count < 256, state.ownFiles[key] == nil else { return false }
    state.ownFiles[key] = file
    return true
  }

  private func isBoundByRun(_ status: FileStatus) -> Bool {
    state.withLock { $0.ownFiles[status.key] != nil }
  }

  private func connect(_ socket: TakenSocket, to entry: Entry) throws(Failure) {
    try workers.waiting { () throws(Failure) in
      _ = try checked(walls_connect_local(socket.descriptor, entry.descriptor))
    }
  }

  /// Finds the socket that a program means. A socket that the warden has bound tells its name without the folder, so that
  /// name leads to it, too, unless it leads elsewhere.
  private func entry(_ path: [UInt8], of thread: Int32) throws(Failure) -> Entry {
    do throws(Failure) { return try find(path, of: thread) } catch {
      guard error.code == ENOENT, let bound = state.withLock({ $0.boundSockets[path] }) else { throw error }
      return try find(bound, of: thread)
    }
  }

  /// Finds an entry in the shadow, where a folder in which a person is asked about a new name holds up others.
  private func find(_ path: [UInt8], of thread: Int32) throws(Failure) -> Entry {
    try workers.waiting { () throws(Failure) in try Entry(path, of: thread) }
  }
}

extension FileStatus {
  fileprivate var key: LinkedFile { LinkedFile(device: device, inode: inode) }
}

/// An entry of the file system that was found, but not opened.
private final class Entry {
  let descriptor: Int32
  let status: FileStatus

  /// - Parameter path: A path as a thread inside understands it.
  convenience init(_ path: [UInt8], of thread: Int32) throws(Failure) {
    let start = try path.first == 0x2f ? [] : targetOfLink("/proc/\(thread)/cwd") + [0x2f]
    let text = (start + path).map { CChar(bitPattern: $0) } + [0]
    try self.init(try checked(walls_open_inside(thread, text)))
  }

  convenience init(onHost path: AbsolutePath) throws(Failure) {
    let text = path.bytes.map { CChar(bitPattern: $0) } + [0]
    try self.init(try checked(walls_open_exactly(text)))
  }

  private init(_ descriptor: Int32) throws(Failure) {
    self.descriptor = descriptor
    guard let status = FileStatus(of: descriptor) else {
      close(descriptor)
      throw .stale
    }
    self.status = status
  }

  deinit { close(descriptor) }

  /// The path, which is the same inside and outside.
  func path() throws(Failure) -> AbsolutePath {
    guard let path = try? AbsolutePath(try targetOfLink("/proc/self/fd/\(descriptor)")) else {
      throw .stale
    }
    return path
  }

  var isInShadow: Bool { walls_is_in_shadow(descriptor) != 0 }
}

/// The sockets of the programs that know names and users for others. The warden answers for names itself, and a question to
/// such a program could carry data out, so they do not exist inside.
enum NameServices {
  private static let folders = [
    "/run/systemd/resolve", "/run/systemd/userdb", "/run/nscd", "/run/avahi-daemon",
  ].compactMap { try? AbsolutePath($0) }

  static func contain(_ path: AbsolutePath) -> Bool { folders.contains { $0.isAbove(path) } }
}
