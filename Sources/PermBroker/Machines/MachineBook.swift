package import Machine
import PermModel

/// The machines that the person has added: two private files beside the store, one with ids and one with host keys.
package struct MachineBook: Hashable, Sendable {
  package var pins = MachinePins()
  package var keys = HostKeys()

  package init() {}

  /// Returns the id that a machine must have; `nil` if the person has not added it.
  package func id(of name: RemoteName) -> String? { keys[name].isEmpty ? nil : pins[name]?.id }

  /// Pins an id and host keys to a name, in place of earlier ones.
  package mutating func pin(
    _ id: String, _ keys: [HostKeys.Key], to name: RemoteName, at now: Timestamp
  ) throws(MachineFault) {
    try pins.pin(.init(id: id, since: now), to: name)
    self.keys[name] = keys
  }

  /// Removes a name. Returns whether it was there.
  package mutating func forget(_ name: RemoteName) -> Bool {
    let hadKeys = !keys[name].isEmpty
    keys[name] = []
    return pins.forget(name) || hadKeys
  }
}

// MARK: - The files

extension MachineBook {
  private static let pinsFile = "machines"
  private static let keysFile = "machines.hosts"
  private static let longestFile = 1 << 20

  /// Returns the path of the file that ssh reads host keys from.
  package static func keysFile(inFolder folder: String) -> String { "\(folder)/\(keysFile)" }

  /// The reason why the book cannot be read or written.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// Somebody else can write to a file, or it is not a file.
    case notPrivate(String)
    case damaged(String, line: Int)

    package var description: String {
      switch self {
      case .system(let error): "\(error)"
      case .notPrivate(let file): "\(file) is not a file that you alone can change"
      case .damaged(let file, let line):
        "\(file), line \(line), is not what permtui has written; correct it, or remove the file and add the machines again"
      }
    }
  }

  /// Reads the book in a store's folder. A missing file is an empty one.
  package static func read(inFolder folder: String) throws(Problem) -> MachineBook {
    var book = MachineBook()
    let file = "\(folder)/\(pinsFile)"
    let text = try text(of: file)
    do throws(MachinePins.Damaged) { book.pins = try MachinePins(text) } catch {
      throw .damaged(file, line: error.line)
    }
    book.keys = HostKeys(try self.text(of: keysFile(inFolder: folder)))
    return book
  }

  private static func text(of file: String) throws(Problem) -> String {
    let status: FileStatus?
    do throws(SystemError) { status = try FileStatus.find(file) } catch { throw .system(error) }
    guard let status else { return "" }
    guard status.kind == .file, status.isOwn, !status.isWritableByOthers else { throw .notPrivate(file) }
    do throws(SystemError) {
      let bytes = try Files.bytes(of: file, limit: longestFile, followingLinks: false)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// Reads the book in a store's folder, changes it, and writes it, while nobody else does.
  ///
  /// - Throws: What `body` throws, or ``Problem``. Nothing is changed then.
  package static func change<Result>(
    inFolder folder: String, _ body: (inout MachineBook) throws -> Result
  ) throws -> Result {
    let lock: FileLock
    do throws(SystemError) {
      try Folder.make(folder)
      lock = try FileLock("\(folder)/\(pinsFile).lock", .aloneWithin(.seconds(5)))
    } catch {
      throw Problem.system(error)
    }
    var book = try read(inFolder: folder)
    let result = try body(&book)
    try book.write(inFolder: folder)
    withExtendedLifetime(lock) {}
    return result
  }

  /// Writes the host keys first, since a name without an id counts as one that was not added.
  private func write(inFolder folder: String) throws(Problem) {
    do throws(SystemError) {
      try Files.replace(Self.keysFile(inFolder: folder), text: keys.text)
      try Files.replace("\(folder)/\(Self.pinsFile)", text: pins.text)
    } catch {
      throw .system(error)
    }
  }
}
