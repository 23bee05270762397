import CWalls
import Dispatch
import Machine
import PermModel

/// Answers programs inside that ask for the addresses of names. Nobody outside learns of the names.
struct NameServer: Sendable {
  /// The socket for single messages, and the one that listens for streams of them.
  let messages: Int32
  let streams: Int32
  let address: @Sendable (Host) -> Address?

  /// The seconds for which a stream may be silent.
  private static let patience: Int32 = 10
  /// At most so many streams are read at once; others wait.
  private static let room = DispatchSemaphore(value: 16)

  /// Begins. Returns whether the threads could be made.
  func start() -> Bool { BlockingThread.start(serveMessages) && BlockingThread.start(serveStreams) }

  private func serveMessages() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var sender = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      withUnsafeMutableBytes(of: &sender) { raw in
        let place = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        let count = recvfrom(messages, &buffer, buffer.count, 0, place, &length)
        guard count > 0, let answer = NameMessage(Array(buffer[..<count]))?.answer(address) else { return }
        // A program that does not read must not stop the others.
        sendto(messages, answer, answer.count, Int32(MSG_DONTWAIT), place, length)
      }
    }
  }

  private func serveStreams() {
    while true {
      Self.room.wait()
      let stream = accept(streams, nil, nil)
      let isServed =
        stream >= 0
        && BlockingThread.start {
          serve(stream)
          close(stream)
          Self.room.signal()
        }
      if isServed { continue }
      close(stream)
      Self.room.signal()
      // There are too few descriptors or threads at the moment.
      BlockingThread.sleep(microseconds: 10_000)
    }
  }

  private func serve(_ stream: Int32) {
    walls_limit_waiting(stream, Self.patience)
    while let head = read(2, from: stream),
      let bytes = read(Int(head[0]) << 8 | Int(head[1]), from: stream),
      let answer = NameMessage(bytes)?.answer(address)
    {
      let framed = [UInt8(answer.count >> 8), UInt8(answer.count & 0xff)] + answer
      guard send(stream, framed, framed.count, Int32(MSG_NOSIGNAL)) == framed.count else { return }
    }
  }

  /// Reads exactly so many bytes; `nil` if there are fewer.
  private func read(_ count: Int, from stream: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = bytes.withUnsafeMutableBytes {
        recv(stream, $0.baseAddress?.advanced(by: done), count - done, 0)
      }
      guard more > 0 else { return nil }
      done += more
    }
    return bytes
  }
}
