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
  /// The end of the time in which a reply can come from memory; `nil` unless one is looked for.
  private var quick: Scheduled<Void>?
  /// The number of lines so far.
  private var count = 0

  /// The time after which a question is no longer answered from memory, because a file system does not respond.
  private static let patience = TimeAmount.milliseconds(200)

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
    quick?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Begins to answer the next line. If the line has not arrived completely, requests more bytes.
  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, quick == nil, context.channel.isActive else { return }
    guard let line = buffer.next() else { return context.read() }
    count += 1
    let (number, loop) = (count, context.eventLoop)
    let this = NIOLoopBound((self, context), eventLoop: loop)
    let hasBegun = session.answerNow(line) { reply in
      loop.execute {
        let (handler, context) = this.value
        handler.endQuick(number, line, with: reply, context)
      }
    }
    guard hasBegun else { return start(line, context) }
    quick = loop.scheduleTask(in: Self.patience) {
      let (handler, context) = this.value
      handler.endQuick(number, line, with: nil, context)
    }
  }

  /// Sends the reply that was found at once. Without one, lets the session look for it.
  ///
  /// - Parameter number: The number of the line. A reply to an earlier line comes too late, and is dropped.
  private func endQuick(
    _ number: Int, _ line: DenoLine, with reply: [UInt8]?, _ context: ChannelHandlerContext
  ) {
    guard number == count, let quick else { return }
    quick.cancel()
    self.quick = nil
    guard context.channel.isActive else { return }
    guard let reply else { return start(line, context) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply)), promise: nil)
    answerNext(context)
  }

  private func start(_ line: DenoLine, _ context: ChannelHandlerContext) {
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
