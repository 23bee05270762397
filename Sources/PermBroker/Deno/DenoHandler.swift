import NIOCore

/// The handler of a Deno process's connection. It splits the incoming bytes into lines, which are answered one at a time,
/// in order. It never closes the connection, because Deno would end in the middle of its work.
///
/// The handler reads only while no line is being answered, and only one chunk at a time.
final class DenoHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let session: DenoSession
  private var buffer = DenoLineBuffer()
  private var isOpen = false
  private var running: Task<Void, Never>?

  init(_ session: DenoSession) { self.session = session }

  /// Begins to read. Call this once the process has been admitted.
  func open(_ context: ChannelHandlerContext) {
    guard !isOpen, context.channel.isActive else { return }
    isOpen = true
    answerNext(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    // When the process ends, its remaining bytes arrive unrequested, and nobody waits for a reply to them.
    guard buffer.kept <= 2 * DenoLineBuffer.longest else { return }
    buffer.append(bytes.readableBytesView)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isOpen { answerNext(context) }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    running?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Begins to answer the next line. If the line has not arrived completely, requests more bytes.
  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, context.channel.isActive else { return }
    guard let line = buffer.next() else { return context.read() }
    let (session, channel, loop) = (session, context.channel, context.eventLoop)
    let this = NIOLoopBound((self, context), eventLoop: loop)
    let task = Task {
      let reply = await session.answer(line)
      try? await channel.writeAndFlush(ByteBuffer(bytes: reply)).get()
      loop.execute {
        let (handler, context) = this.value
        handler.running = nil
        handler.answerNext(context)
      }
    }
    running = task
    session.note(task)
  }
}
