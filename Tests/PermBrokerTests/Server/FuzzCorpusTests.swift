import Foundation
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("Inputs that the fuzzer found")
struct FuzzCorpusTests {
  private static let corpus = inputs(of: "wire")

  private static func inputs(of target: String) -> [Data] {
    let folder = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Fuzz/Corpus/\(target)")
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).compactMap { try? Data(contentsOf: $0) }
  }

  /// Sends each of them on a connection of its own, and checks in between that the broker still answers.
  private func replay(at socket: BrokerSocket, to broker: TestBroker) async throws {
    try #require(Self.corpus.count > 100)
    for (number, input) in Self.corpus.enumerated() {
      let client = try broker.client(socket)
      try await client.sendRaw(input + [0])
      await client.disconnect()
      if number.isMultiple(of: 40) { try await expectAnswer(at: socket, of: broker) }
    }
    try await expectAnswer(at: socket, of: broker)
  }

  /// One process has a limited number of places, and those that it has left become free after a while.
  private func expectAnswer(at socket: BrokerSocket, of broker: TestBroker) async throws {
    try await until {
      (try? await broker.client(socket).call(VarlinkService.GetInfo.self, .init())) != nil
    }
  }

  @Test("neither stops a broker nor decides anything at the door for programs")
  func ask() async throws {
    try await withBroker { broker in
      try await replay(at: .ask, to: broker)
      #expect(try broker.store.decisions().isEmpty)
    }
  }

  @Test("does not stop a broker at the door of the person either")
  func control() async throws {
    try await withBroker { try await replay(at: .control, to: $0) }
  }

  @Test("does not stop a broker at the socket for Deno, allows nothing, and closes no connection")
  func deno() async throws {
    let inputs = Self.inputs(of: "deno")
    try #require(inputs.count > 30)
    try await withDeno { test, _ in
      for input in inputs {
        let client = try DenoClient(at: test.address)
        try await client.sendRaw(String(decoding: input, as: UTF8.self) + "\n{\"id\":77}\n")
        var reply = try await client.reply()
        while reply.id != 77 {
          #expect(reply.result == "deny", "\(input)")
          reply = try await client.reply()
        }
        await client.disconnect()
      }
      #expect(try test.store.decisions().isEmpty)
    }
  }
}
