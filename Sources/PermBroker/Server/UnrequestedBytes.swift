import NIOCore

/// A handler that closes a connection as soon as bytes arrive that were not requested. That happens only when the client is
/// gone, and the bytes can be many.
final class UnrequestedBytes: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private var isRequested = false

  func read(context: ChannelHandlerContext) {
    isRequested = true
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isRequested else { return context.close(promise: nil) }
    isRequested = false
    context.fireChannelRead(data)
  }
}
