import Machine
import NIOCore

/// The handler of one client's connection. It splits the incoming bytes into messages, which are answered one
/// at a time, in order.
///
/// The handler reads only while no call is being answered, and only one chunk at a time. Therefore a client that sends
/// several calls together has to wait, and a connection buffers at most one call and one chunk.
///
/// The handler runs on the connection's event loop. Each call is answered in its own task, which is cancelled
/// when the client disconnects.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Answers one message. If the closure returns `false`, the connection is closed.
  typealias Answer = @Sendable (_ message: [UInt8], _ connection: ReplyWriter) async -> Bool

  /// The maximum number of bytes per read.
  static let chunk = 4096
  private let answer: Answer
  private let idleLimit: TimeAmount
  private let setIdle: @Sendable (Bool) -> Void
  private var buffer = MessageBuffer(limit: MessageBuffer.longestCall)
  /// Whether a message was too long, so that no further one is answered.
  private var isRefused = false
  /// Whether the handler has begun to read calls.
  private var isOpen = false
  private var running: Task<Void, Never>?
  private var idle: Scheduled<Void>?

  /// - Parameters:
  ///   - idleLimit: The time that a client can stay connected while none of its calls is being answered.
  ///   - setIdle: Called with `false` before a call is answered, and with `true` afterwards.
  init(
    idleLimit: TimeAmount, setIdle: @escaping @Sendable (Bool) -> Void = { _ in }, answer: @escaping Answer
  ) {
    self.idleLimit = idleLimit
    self.setIdle = setIdle
    self.answer = answer
  }

  /// Configures a channel to read only when this handler requests a read, and at most one chunk per read.
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

  /// Begins to read calls. Call this once the client has been admitted.
  func open(_ context: ChannelHandlerContext) {
    guard !isOpen, context.channel.isActive else { return }
    isOpen = true
    answerNext(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    // When a client closes the connection, its remaining bytes arrive unrequested. Only these bytes can exceed the
    // limit. They can be dropped, because there is no longer a client to reply to.
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

  /// Begins to answer the next call. If the call has not arrived completely, requests more bytes.
  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, !isRefused, context.channel.isActive else { return }
    do throws(WireError) {
      if let message = try buffer.next() { start(Array(message), context) } else { context.read() }
    } catch {
      // After a message that is too long, the beginning of the next message cannot be found.
      refuse(context)
    }
  }

  /// Tells the client that its message is too long, and closes the connection.
  private func refuse(_ context: ChannelHandlerContext) {
    let (name, details) = BrokerError.tooLong(bytes: nil).wire
    let reply = try? WireCoding.encode(ReplyMessage(parameters: details, error: name))
    let channel = context.channel
    isRefused = true
    channel.writeAndFlush(ByteBuffer(bytes: reply ?? [])).whenComplete { _ in channel.close(promise: nil) }
  }

  private func start(_ message: [UInt8], _ context: ChannelHandlerContext) {
    idle?.cancel()
    setIdle(false)
    let answer = answer
    let writer = ReplyWriter(channel: context.channel)
    let loop = context.eventLoop
    let this = NIOLoopBound((self, context), eventLoop: loop)
    running = Task.quiet {
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

  /// Schedules the connection to be closed if no call arrives within `idleLimit`, because an idle client takes up a
  /// place that others might need.
  private func waitForCall(_ context: ChannelHandlerContext) {
    let channel = context.channel
    idle = context.eventLoop.scheduleTask(in: idleLimit) { channel.close(promise: nil) }
  }
}

struct ReplyWriter: Sendable {
  let channel: any Channel

  /// Writes a message and waits until the socket has accepted it. A client that reads slowly therefore delays
  /// only itself.
  func write(_ message: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: message)).get()
  }
}
