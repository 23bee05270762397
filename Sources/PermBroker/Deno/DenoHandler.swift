import Machine
import NIOCore

/// The handler of a Deno process's connection. It splits the incoming bytes into lines, which are answered one at a time,
/// in order. It closes the connection only if the process does not read, because Deno would end in the middle of its work.
///
/// The handler reads only while no line is being answered, and only one chunk at a time.
final class DenoHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let session: DenoSession
  private var buffer = DenoLineBuffer()
  private var isOpen = false
  private var running: Task<Void, Never>?
  /// The connection for the threads that answer from memory; `nil` if there are too many descriptors.
  private let connection: SocketCopy?
  /// The questions that are being answered from memory.
  private var burst: DenoBurst?
  private var watching: Scheduled<Void>?

  /// The time after which a question is no longer answered from memory, because a file system does not respond.
  private static let patience = Duration.milliseconds(200)
  /// The time between two checks of whether that time has passed.
  private static let look = TimeAmount.milliseconds(25)
  /// The time within which a process must read a reply if earlier replies have filled the connection.
  private static let patienceForReader = TimeAmount.seconds(5)

  init(_ session: DenoSession, _ connection: SocketCopy?) {
    (self.session, self.connection) = (session, connection)
  }

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
    watching?.cancel()
    connection?.end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Begins to answer the next lines from memory. If no line has arrived completely, requests more bytes.
  private func answerNext(_ context: ChannelHandlerContext) {
    guard running == nil, burst == nil, context.channel.isActive else { return }
    guard let line = buffer.next() else { return context.read() }
    guard let connection else { return start(line, context) }
    let burst = DenoBurst(session, connection, line, buffer)
    let loop = context.eventLoop
    let this = NIOLoopBound((self, context), eventLoop: loop)
    let hasBegun = session.perform {
      guard let rest = burst.run() else { return }
      loop.execute {
        let (handler, context) = this.value
        handler.end(burst, rest, context)
      }
    }
    guard hasBegun else { return start(line, context) }
    self.burst = burst
    watch(burst, context)
  }

  /// Takes back a line that is not answered in time. Checks repeatedly until the burst has ended.
  private func watch(_ burst: DenoBurst, _ context: ChannelHandlerContext) {
    let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    watching = context.eventLoop.scheduleTask(in: Self.look) {
      let (handler, context) = this.value
      guard handler.burst === burst else { return }
      guard let rest = burst.takeBack(after: Self.patience) else { return handler.watch(burst, context) }
      handler.end(burst, rest, context)
    }
  }

  private func end(_ burst: DenoBurst, _ rest: DenoBurst.Rest, _ context: ChannelHandlerContext) {
    guard self.burst === burst else { return }
    watching?.cancel()
    (self.burst, watching, buffer) = (nil, nil, rest.buffer)
    guard context.channel.isActive else { return }
    if let line = rest.line { start(line, context) } else { answerNext(context) }
  }

  private func start(_ line: DenoLine, _ context: ChannelHandlerContext) {
    let (session, channel, loop) = (session, context.channel, context.eventLoop)
    let this = NIOLoopBound((self, context), eventLoop: loop)
    let task = Task.quiet {
      let reply = await session.answer(line)
      // A process that reads no replies could otherwise keep this task, and with it the broker, from ending.
      let late = loop.scheduleTask(in: Self.patienceForReader) { channel.close(promise: nil) }
      try? await channel.writeAndFlush(ByteBuffer(bytes: reply)).get()
      late.cancel()
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
