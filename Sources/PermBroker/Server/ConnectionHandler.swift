import NIOCore

/// One client's connection: cuts its bytes into messages, and has them answered one after the other, in order.
///
/// It reads only while no call is being answered, and no more at once than a chunk, so that a client which sends ahead
/// waits, and what a connection holds is bounded in bytes: one call and a chunk.
///
/// Lives on its event loop; a call is answered in a task of its own, which is cancelled when the client goes away.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Answers one message; `false` ends the connection.
  typealias Answer = @Sendable (_ message: [UInt8], _ connection: ReplyWriter) async -> Bool

  /// The bytes that are read at once.
  static let chunk = 4096
  /// How long a client may be connected without a call that is being answered.
  static let idleLimit = TimeAmount.seconds(60)

  private let answer: Answer
  private let setIdle: @Sendable (Bool) -> Void
  private var buffer = MessageBuffer(limit: MessageBuffer.longestCall)
  /// Whether calls are read yet.
  private var isOpen = false
  private var running: Task<Void, Never>?
  private var idle: Scheduled<Void>?

  /// - Parameter setIdle: Told whether a call is being answered.
  init(setIdle: @escaping @Sendable (Bool) -> Void = { _ in }, answer: @escaping Answer) {
    self.setIdle = setIdle
    self.answer = answer
  }

  /// Has a channel read no more than this handler asks for.
  static func setOptions(of channel: any Channel) throws {
    let options = channel.syncOptions
    try options?.setOption(.autoRead, value: false)
    try options?.setOption(.maxMessagesPerRead, value: 1)
    try options?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.chunk))
  }

  func channelActive(context: ChannelHandlerContext) {
    waitForCall(context)
    context.fireChannelActive()
  }

  /// Begins to read, once it is known that the client may be here.
  func open(_ context: ChannelHandlerContext) {
    guard !isOpen, context.channel.isActive else { return }
    isOpen = true
    answerNext(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    // Unasked for, all that is left comes when the other side closes. There is nobody left to answer then.
    guard buffer.pending + bytes.readableBytes <= MessageBuffer.longestCall + 2 * Self.chunk else {
      context.close(promise: nil)
      return
    }
    buffer.append(bytes.readableBytesView)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isOpen { answerNext(context) }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    running?.cancel()
    idle?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Begins to answer the next call, or reads on if it is not there yet.
  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, context.channel.isActive else { return }
    do throws(WireError) {
      if let message = try buffer.next() { start(Array(message), context) } else { context.read() }
    } catch {
      // There is no telling where the next message begins.
      context.close(promise: nil)
    }
  }

  private func start(_ message: [UInt8], _ context: ChannelHandlerContext) {
    idle?.cancel()
    setIdle(false)
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
    setIdle(true)
    waitForCall(context)
    answerNext(context)
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
