import NIOCore

/// One client's connection: cuts its bytes into messages, and has them answered one after the other, in order.
///
/// Lives on its event loop; a call is answered in a task of its own, which is cancelled when the client goes away.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Answers one message; `false` ends the connection.
  typealias Answer = @Sendable (_ message: [UInt8], _ connection: ReplyWriter) async -> Bool

  /// Calls that a client may send ahead before it is no longer read from.
  private static let mostSentAhead = 64
  /// How long a client may be connected without a call that is being answered.
  static let idleLimit = TimeAmount.seconds(60)

  private let answer: Answer
  private var buffer = MessageBuffer(limit: MessageBuffer.longestCall)
  private var sentAhead: [[UInt8]] = []
  private var running: Task<Void, Never>?
  private var idle: Scheduled<Void>?

  init(answer: @escaping Answer) {
    self.answer = answer
  }

  func channelActive(context: ChannelHandlerContext) {
    waitForCall(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    buffer.append(unwrapInboundIn(data).readableBytesView)
    do throws(WireError) {
      while let message = try buffer.next() { sentAhead.append(Array(message)) }
    } catch {
      // There is no telling where the next message begins.
      context.close(promise: nil)
      return
    }
    if sentAhead.count > Self.mostSentAhead { setReading(false, context) }
    answerNext(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    running?.cancel()
    idle?.cancel()
    sentAhead = []
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, !sentAhead.isEmpty, context.channel.isActive else { return }
    idle?.cancel()
    let message = sentAhead.removeFirst()
    let answer = answer
    let writer = ReplyWriter(channel: context.channel)
    let loop = context.eventLoop
    let this = NIOLoopBound((self, context), eventLoop: loop)
    running = Task {
      let goesOn = await answer(message, writer)
      loop.execute {
        let (handler, context) = this.value
        handler.ended(context, goesOn: goesOn)
      }
    }
  }

  private func ended(_ context: ChannelHandlerContext, goesOn: Bool) {
    running = nil
    guard context.channel.isActive else { return }
    guard goesOn else {
      context.close(promise: nil)
      return
    }
    if sentAhead.count == Self.mostSentAhead { setReading(true, context) }
    if sentAhead.isEmpty { waitForCall(context) } else { answerNext(context) }
  }

  private func setReading(_ reads: Bool, _ context: ChannelHandlerContext) {
    context.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
  }

  /// A client that asks nothing takes a place from those that do.
  private func waitForCall(_ context: ChannelHandlerContext) {
    let channel = context.channel
    idle = context.eventLoop.scheduleTask(in: Self.idleLimit) { channel.close(promise: nil) }
  }
}

/// Writes replies to one client.
struct ReplyWriter: Sendable {
  private let channel: any Channel

  init(channel: any Channel) {
    self.channel = channel
  }

  /// Writes a message and waits until the client's side has taken it, so that a slow reader slows only itself.
  func write(_ message: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: message)).get()
  }
}
