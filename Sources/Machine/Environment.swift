import CLinux
import Glibc

/// The environment variables of this process.
package enum Environment {
  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  package static var variables: [String: String] {
    var variables: [String: String] = [:]
    var next = process_environment()
    while let entry = next?.pointee {
      if let sign = strchr(entry, Int32(UInt8(ascii: "="))) {
        let name = String(decoding: UnsafeRawBufferPointer(start: entry, count: sign - entry), as: UTF8.self)
        if variables[name] == nil { variables[name] = String(cString: sign + 1) }
      }
      next? += 1
    }
    return variables
  }

  /// Whether a variable is text in UTF-8, or not set at all.
  package static func isText(_ name: String) -> Bool {
    getenv(name).map { String(validatingCString: $0) != nil } ?? true
  }

  /// Returns the variables with which a process was started; `nil` if they cannot be read, or take up 2 MiB or more.
  package static func variables(of process: Int32) -> [String: String]? {
    let most = 1 << 21
    guard let bytes = try? Files.bytes(of: "/proc/\(process)/environ", limit: most), bytes.count < most else {
      return nil
    }
    let entries = bytes.split(separator: 0).map { $0.split(separator: UInt8(ascii: "="), maxSplits: 1) }
    let texts = entries.map { $0.map { String(decoding: $0, as: UTF8.self) } }
    return Dictionary(texts.compactMap { text in text.first.map { ($0, text.count == 2 ? text[1] : "") } }) {
      first, _ in first
    }
  }

  /// Returns the variables with which a process and its ancestors up to another one were started; `nil` if they cannot be
  /// read, or if the other one is none of its ancestors.
  package static func variables(from process: Int32, to ancestor: Int32) -> [[String: String]]? {
    var environments: [[String: String]] = []
    var next = process
    while environments.count < longestLineage, let variables = variables(of: next) {
      environments.append(variables)
      if next == ancestor { return environments }
      guard let stat = ProcessStat(of: next), stat.parent > 0 else { break }
      next = stat.parent
    }
    return nil
  }

  private static let longestLineage = 64

  /// Removes variables, so that no child process inherits them.
  package static func remove(_ names: String...) { for name in names { unsetenv(name) } }
}

package enum StandardStream {
  package static let input: Int32 = STDIN_FILENO
  package static let output: Int32 = STDOUT_FILENO
  package static let error: Int32 = STDERR_FILENO

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Opens something in the place of each standard stream that is closed, so that no file of this process becomes one and
  /// receives its output. Reading and writing there fails, as it does on a closed stream.
  package static func fillGaps() {
    for (stream, mode) in [(input, O_WRONLY), (output, O_RDONLY), (error, O_RDONLY)]
    where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is used, which is that of the stream.
      _ = open("/dev/null", mode)
    }
  }

  /// Returns everything that can be read until the end of the input; `nil` if reading fails.
  ///
  /// - Parameter limit: The number of bytes after which reading stops.
  package static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { return nil }
      bytes += chunk.prefix(max(0, count))
    }
    return bytes
  }

  /// Discards the input that was typed on a terminal but has not been read.
  package static func dropTyped(_ descriptor: Int32) { tcflush(descriptor, TCIFLUSH) }
}

/// The users of this machine.
package enum Users {
  /// The number of the user whose rights this process has.
  package static var current: UInt32 { geteuid() }

  /// Returns the name of the user with this number; `nil` if there is no such user.
  package static func name(of user: UInt32) -> String? { entry(of: user)?.name }

  /// The home folder of the user who runs this process, according to the user database.
  package static var homeFolder: String? { entry(of: getuid())?.home }

  private static func entry(of user: UInt32) -> (name: String?, home: String?)? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return (entry.pw_name.map { String(cString: $0) }, entry.pw_dir.map { String(cString: $0) })
  }
}
