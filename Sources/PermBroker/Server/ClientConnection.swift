import NIOCore

/// A client's connection. Its messages are answered one at a time, in order.
///
/// A connection reads one chunk at a time, and at most two ahead of what is being answered. Therefore a client that sends
/// several messages together has to wait, and a connection buffers at most one message and a few chunks.
struct ClientConnection: Sendable {
  /// The maximum number of bytes per read.
  private static let chunk = 4096

  private let chunks: NIOAsyncChannel<ByteBuffer, Never>

  /// Creates the connection of a channel that has not begun to read, on the channel's event loop.
  init(_ channel: any Channel) throws {
    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try channel.syncOptions?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.chunk))
    try channel.pipeline.syncOperations.addHandler(UnrequestedBytes())
    chunks = try NIOAsyncChannel(
      wrappingChannelSynchronously: channel,
      configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1)))
  }

  var channel: any Channel { chunks.channel }

  /// Answers messages until the client disconnects or the closure returns `false`, and closes the connection.
  ///
  /// - Parameter idleLimit: The time that a client can stay connected while none of its messages is being answered, because
  ///   an idle client takes up a place that others might need.
  func answer<Buffer: SplittingBuffer>(
    _ buffer: Buffer, idleLimit: TimeAmount? = nil,
    _ answer: @Sendable (_ message: Buffer.Message, _ replies: ReplyWriter) async -> Bool
  ) async throws {
    let replies = ReplyWriter(channel: channel)
    try await chunks.executeThenClose { chunks in
      do {
        var end = endIfIdle(for: idleLimit)
        for try await message in Messages(chunks: chunks, buffer: buffer) {
          end?.cancel()
          guard await answer(message, replies) else { return }
          end = endIfIdle(for: idleLimit)
        }
      } catch WireError.tooLong {
        // The beginning of the next message cannot be found.
        try await replies.write(CallRouter.encode(BrokerError.tooLong(bytes: nil)))
      }
    }
  }

  private func endIfIdle(for limit: TimeAmount?) -> Scheduled<Void>? {
    limit.map { [channel] in channel.eventLoop.scheduleTask(in: $0) { channel.close(promise: nil) } }
  }
}

/// A buffer that splits a stream of bytes into messages.
protocol SplittingBuffer: Sendable {
  associatedtype Message: Sendable

  mutating func append(_ more: some Sequence<UInt8>)

  /// Returns the next complete message; `nil` if more bytes must arrive first.
  mutating func next() throws(WireError) -> Message?
}

extension MessageBuffer: SplittingBuffer {}
extension DenoLineBuffer: SplittingBuffer {}

private struct Messages<Buffer: SplittingBuffer>: AsyncSequence {
  let chunks: NIOAsyncChannelInboundStream<ByteBuffer>
  let buffer: Buffer

  func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator(), buffer: buffer) }

  struct Iterator: AsyncIteratorProtocol {
    var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    var buffer: Buffer

    mutating func next() async throws -> Buffer.Message? {
      // When the client has disconnected, there is nobody to reply to.
      while !Task.isCancelled {
        if let message = try buffer.next() { return message }
        guard let chunk = try await chunks.next() else { return nil }
        buffer.append(chunk.readableBytesView)
      }
      return nil
    }
  }
}

struct ReplyWriter: Sendable {
  let channel: any Channel

  /// Writes a message and waits until the socket has accepted it. A client that reads slowly therefore delays
  /// only itself.
  func write(_ message: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: message)).get()
  }

  /// Writes a message, and closes the connection if the socket does not accept it in time.
  func write(_ message: [UInt8], within limit: TimeAmount) async throws {
    try await channel.eventLoop.flatSubmit { [channel] in
      let late = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
      return channel.writeAndFlush(ByteBuffer(bytes: message)).always { _ in late.cancel() }
    }.get()
  }
}
