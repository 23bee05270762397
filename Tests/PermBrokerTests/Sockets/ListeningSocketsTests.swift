import Foundation
import Machine
import Testing

@testable import PermBroker

@Suite("Becoming the broker")
struct ListeningSocketsTests {
  private let folder: TemporaryFolder
  private let address: BrokerAddress

  init() throws {
    folder = try TemporaryFolder()
    address = BrokerAddress(folder: folder.file("run"))
  }

  private func listen() throws -> ListeningSockets {
    try ListeningSockets(lock: folder.file("lock"), candidates: [address])
  }

  private func closeAll(_ sockets: ListeningSockets) {
    for descriptor in sockets.descriptors.values {
      // A process that another test has just forked has it, too, until it executes its program.
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }
  }

  @Test("The folder is for its owner alone, and so are the sockets")
  func modes() throws {
    let sockets = try listen()
    defer { closeAll(sockets) }
    #expect(FileStatus(address.folder).map { $0.mode } == 0o700)
    for socket in BrokerSocket.allCases {
      let status = try #require(FileStatus(address.path(of: socket)))
      #expect(status.mode == 0o600)
      #expect(status.kind == .socket)
    }
  }

  @Test(
    "There is one broker; when it is gone the next takes over, and finds the sockets that were left behind")
  func takeOver() throws {
    var first: ListeningSockets? = try listen()
    #expect(throws: BrokerSocketError.inUse(lock: folder.file("lock"))) { try listen() }
    if let first { closeAll(first) }
    first = nil
    #expect(FileStatus(address.path(of: .ask)) != nil)
    let second = try listen()
    defer { closeAll(second) }
    let client = try BrokerConnection(to: .ask, among: [address])
    #expect(client.descriptor >= 0)
  }

  @Test("A stale socket means that nobody listens")
  func stale() throws {
    closeAll(try listen())
    #expect(throws: BrokerSocketError.nobodyListens) { try BrokerConnection(to: .ask, among: [address]) }
  }

  @Test("No folder and no socket mean that nobody listens")
  func nothing() {
    #expect(throws: BrokerSocketError.nobodyListens) { try BrokerConnection(to: .ask, among: [address]) }
    #expect(throws: BrokerSocketError.nobodyListens) { try BrokerConnection(to: .ask, among: []) }
  }

  @Test("A broker that accepts nobody does not answer, and nobody waits for it forever")
  func fullQueue() throws {
    _ = try folder.makeFolder("run")
    let path = address.path(of: .ask)
    let listener = try UnixSocket.make()
    defer { close(listener) }
    try UnixSocket.bind(listener, to: path)
    #expect(Glibc.listen(listener, 0) == 0)
    let first = try UnixSocket.connectToOwn(.ask, at: address)
    defer { close(first) }
    #expect(throws: BrokerSocketError.doesNotAnswer(path)) {
      try UnixSocket.connectToOwn(.ask, at: address, patience: .milliseconds(50))
    }
  }

  @Test("A client that connects tries every folder")
  func secondAddress() throws {
    let sockets = try listen()
    defer { closeAll(sockets) }
    let other = BrokerAddress(folder: folder.file("elsewhere"))
    _ = try BrokerConnection(to: .control, among: [other, address])
  }

  @Test("A folder that is open to others, a link, or a file is refused and left as it is")
  func badFolders() throws {
    let open = try folder.makeFolder("run")
    chmod(open, 0o750)
    #expect(throws: BrokerSocketError.openToOthers(open, mode: 0o750)) { try listen() }
    #expect(FileStatus(open).map { $0.mode } == 0o750)
    rmdir(open)

    let real = try folder.makeFolder("real")
    try FileManager.default.createSymbolicLink(atPath: open, withDestinationPath: real)
    #expect(throws: BrokerSocketError.notAFolder(open)) { try listen() }
    unlink(open)

    try folder.write("", to: "run")
    #expect(throws: BrokerSocketError.notAFolder(open)) { try listen() }
  }

  @Test("Another user's folder is refused", .enabled(if: geteuid() == 0, "takes root, to be another user"))
  func foreignFolder() throws {
    let other = try folder.makeFolder("run")
    chmod(other, 0o700)
    chown(other, 65_534, 65_534)
    #expect(throws: BrokerSocketError.foreignOwner(other, user: 65_534)) { try listen() }
  }

  @Test("A lock that is a symbolic link is refused")
  func linkedLock() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lock"), withDestinationPath: try folder.write("", to: "target"))
    #expect(throws: BrokerSocketError.self) { try listen() }
  }

  @Test("A path that is too long says what to do")
  func longPath() {
    let error = #expect(throws: BrokerSocketError.self) {
      try ListeningSockets(lock: folder.file("lock"), candidates: [])
    }
    #expect(error?.description.contains("XDG_RUNTIME_DIR") == true)
  }

  @Test("A broker that ends removes its own sockets and nobody else's")
  func removal() throws {
    let sockets = try listen()
    closeAll(sockets)
    unlink(address.path(of: .ask))
    try folder.write("other", to: "run/ask")
    sockets.removeFiles()
    #expect(FileStatus(address.path(of: .ask)) != nil)
    #expect(FileStatus(address.path(of: .control)) == nil)
  }
}
