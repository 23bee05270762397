import CWalls
import Machine

/// The connections to the outside that were made for the run, as far as they are still open.
struct Connections: Sendable {
  struct Connection: Sendable {
    var cookie: UInt64
    var inode: UInt64
    var permission: Permission
  }

  private(set) var all: [Connection] = []
  /// The number of connections from which those that are closed are looked for.
  private var limit = 256

  var isFull: Bool { all.count >= limit }

  mutating func add(_ connection: Connection) { all.append(connection) }

  mutating func remove(_ cookies: Set<UInt64>) { all.removeAll { cookies.contains($0.cookie) } }

  /// Forgets, among the first of them, the connections whose sockets are not open.
  mutating func keep(_ inodes: Set<UInt64>, ofFirst count: Int) {
    all = all.prefix(count).filter { inodes.contains($0.inode) } + all.dropFirst(count)
    limit = max(256, 2 * all.count)
  }
}

/// The processes of a run, and the sockets that they have open.
struct RunProcesses: Sendable {
  /// The first process of the run.
  let root: Int32

  /// Takes a copy of each connection that a process has open. Returns the inodes of the others that are not closed: a
  /// descriptor can be on its way from one process to another, where nobody has it.
  func take(_ connections: [Connections.Connection]) -> (copies: [Int32], left: Set<UInt64>) {
    var copies: [Int32] = []
    var left = Dictionary(connections.map { ($0.inode, $0.cookie) }) { $1 }
    // A process that is made meanwhile inherits what its parent has open.
    for _ in 0..<3 where !left.isEmpty {
      visitSockets { thread, descriptor, inode in
        guard let cookie = left[inode], let copy = copy(of: descriptor, in: thread, cookie) else { return }
        copies.append(copy)
        left[inode] = nil
      }
      let open = Self.openInternetSockets
      left = left.filter { open.contains($0.key) }
    }
    return (copies, Set(left.keys))
  }

  private func copy(of descriptor: Int32, in thread: Int32, _ cookie: UInt64) -> Int32? {
    let copy = walls_take_descriptor(thread, descriptor)
    guard copy >= 0 else { return nil }
    var facts = walls_socket()
    if walls_describe_socket(copy, &facts) == 0, facts.cookie == cookie { return copy }
    close(copy)
    return nil
  }

  /// The inodes of all sockets that are open, in the run or, on the host's network, anywhere.
  var openSockets: Set<UInt64> {
    var inodes = Self.openInternetSockets
    visitSockets { _, _, inode in inodes.insert(inode) }
    return inodes
  }

  private func visitSockets(_ visit: (Int32, Int32, UInt64) -> Void) {
    for thread in threads {
      for descriptor in descriptors(of: thread) {
        if let inode = inode(of: descriptor, in: thread) { visit(thread, descriptor, inode) }
      }
    }
  }

  /// The descriptors of a thread. Those of a program that is closed to others cannot be listed, only tried.
  private func descriptors(of thread: Int32) -> [Int32] {
    let listed = Folder.names(in: "/proc/\(thread)/fd").compactMap { Int32($0) }
    return listed.isEmpty ? Array(0..<1024) : listed
  }

  /// Returns the inode of a socket; `nil` if the descriptor is none.
  private func inode(of descriptor: Int32, in thread: Int32) -> UInt64? {
    if let text = try? targetOfLink("/proc/\(thread)/fd/\(descriptor)") {
      guard text.starts(with: Array("socket:[".utf8)) else { return nil }
      return UInt64(String(decoding: text[8..<(text.count - 1)], as: UTF8.self))
    }
    let taken = walls_take_descriptor(thread, descriptor)
    guard taken >= 0 else { return nil }
    defer { close(taken) }
    var facts = walls_socket()
    return walls_describe_socket(taken, &facts) == 0 ? facts.inode : nil
  }

  /// The threads of the run. Each can have descriptors of its own.
  private var threads: [Int32] {
    var found: [Int32] = []
    var next = [root]
    while let process = next.popLast() {
      let own = Folder.names(in: "/proc/\(process)/task").compactMap { Int32($0) }
      found += own
      for thread in own {
        let children = Files.text(of: "/proc/\(process)/task/\(thread)/children", limit: 1 << 20) ?? ""
        next += children.split(separator: " ").compactMap { Int32($0) }
      }
    }
    return found
  }

  /// The inodes of the host's TCP sockets that are not closed.
  private static var openInternetSockets: Set<UInt64> {
    let lines = ["tcp", "tcp6"].flatMap { name in
      (Files.text(of: "/proc/self/net/\(name)", limit: 1 << 26) ?? "").split(separator: "\n").dropFirst()
    }
    return Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        // 07: closed
        return words.count > 9 && words[3] != "07" ? UInt64(words[9]) : nil
      })
  }
}
