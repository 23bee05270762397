import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("What the fuzzer found")
struct FuzzCorpusTests {
  private static let corpus: [Data] = {
    let folder = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Fuzz/Corpus/wire")
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).compactMap { try? Data(contentsOf: $0) }
  }()

  @Test("neither stops a broker nor decides anything at the door for programs")
  func replay() async throws {
    try #require(Self.corpus.count > 100)
    try await withBroker { broker in
      for input in Self.corpus {
        let client = try broker.client(.ask)
        try await client.sendRaw(input + [0])
        await client.disconnect()
      }
      #expect(try broker.store.decisions().isEmpty)
      _ = try await broker.client(.ask).call(VarlinkService.GetInfo.self, .init())
    }
  }

  @Test("does not stop a broker at the door of the person either")
  func control() async throws {
    try await withBroker { broker in
      for input in Self.corpus {
        let client = try broker.client(.control)
        try await client.sendRaw(input + [0])
        await client.disconnect()
      }
      _ = try await broker.client(.control).call(VarlinkService.GetInfo.self, .init())
    }
  }
}
