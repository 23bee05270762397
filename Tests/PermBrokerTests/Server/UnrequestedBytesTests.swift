import NIOCore
import NIOEmbedded
import Testing

@testable import PermBroker

@Suite("Bytes that a connection did not request")
struct UnrequestedBytesTests {
  private let bytes = ByteBuffer(string: "call")

  @Test("One chunk is passed on for each read")
  func requested() throws {
    let channel = EmbeddedChannel(handler: UnrequestedBytes())
    for _ in 0..<3 {
      channel.read()
      try channel.writeInbound(bytes)
      #expect(try channel.readInbound(as: ByteBuffer.self) == bytes)
    }
    #expect(try channel.finish().isClean)
  }

  @Test("A chunk that was not requested is dropped, and closes the connection")
  func unrequested() throws {
    let channel = EmbeddedChannel(handler: UnrequestedBytes())
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/run/test")).wait()
    channel.read()
    try channel.writeInbound(bytes)
    try channel.writeInbound(bytes)
    #expect(!channel.isActive)
    #expect(try channel.readInbound(as: ByteBuffer.self) == bytes)
    #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
  }
}
