import Foundation

@testable import PermBroker

/// A socket server in a folder of its own.
final class TestServer: Sendable {
  let folder: TemporaryFolder
  let address: BrokerAddress
  private let sockets: ListeningSockets
  private let server: SocketServer

  init(router: CallRouter = CallRouter()) throws {
    folder = try TemporaryFolder()
    address = BrokerAddress(folder: folder.file("run"))
    sockets = try ListeningSockets(lock: folder.file("broker.lock"), candidates: [address])
    // Tests about anything else must not meet a limit of time, however busy the machine is.
    server = try SocketServer(sockets.descriptors, idleLimit: .seconds(3600)) {
      message, socket, peer, replies in
      await router.answer(message, at: socket, from: peer, replies)
    }
  }

  func connect(_ socket: BrokerSocket = .ask) throws -> TestClient {
    try TestClient(to: socket, at: address)
  }

  func stop() async {
    await server.stop()
    sockets.removeFiles()
  }
}

/// Runs a test with a server, and stops it whatever happens.
func withServer(router: CallRouter = CallRouter(), _ test: (TestServer) async throws -> Void) async throws {
  let server = try TestServer(router: router)
  do {
    try await test(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
