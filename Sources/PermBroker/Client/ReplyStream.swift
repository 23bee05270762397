import NIOCore
import NIOPosix

/// The replies to one call, over a connection of its own. When whoever iterates goes away, so does the connection.
enum ReplyStream {
  static func replies<Method: BrokerMethod>(
    to method: Method.Type, _ parameters: Method.Parameters, more: Bool, among addresses: [BrokerAddress]
  ) throws -> AsyncThrowingStream<Method.Reply, any Error> {
    let call = CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil)
    let message = try WireCoding.encode(call)
    let descriptor = try UnixSocket.connectToOwn(method.socket, among: addresses)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Method.Reply.self)
    let channel = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ReplyHandler<Method>(continuation: continuation)
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .withConnectedSocket(descriptor)
    channel.whenComplete { result in
      switch result {
      case .success(let channel):
        continuation.onTermination = { _ in channel.close(promise: nil) }
        channel.writeAndFlush(ByteBuffer(bytes: message), promise: nil)
      case .failure:
        continuation.finish(throwing: BrokerError.disconnected)
      }
    }
    return stream
  }
}

/// Reads replies until the last.
private final class ReplyHandler<Method: BrokerMethod>: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let continuation: AsyncThrowingStream<Method.Reply, any Error>.Continuation
  private var buffer = MessageBuffer(limit: MessageBuffer.longestReply)

  init(continuation: AsyncThrowingStream<Method.Reply, any Error>.Continuation) {
    self.continuation = continuation
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    buffer.append(unwrapInboundIn(data).readableBytesView)
    do {
      while let message = try buffer.next() {
        let (reply, continues) = try Replies.read(message, of: Method.self).get()
        continuation.yield(reply)
        if !continues { finish(context, throwing: nil) }
      }
    } catch {
      finish(context, throwing: error is BrokerError ? error : BrokerError.notUnderstood("\(error)"))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    continuation.finish(throwing: BrokerError.disconnected)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    finish(context, throwing: BrokerError.disconnected)
  }

  private func finish(_ context: ChannelHandlerContext, throwing error: (any Error)?) {
    continuation.finish(throwing: error)
    context.close(promise: nil)
  }
}
