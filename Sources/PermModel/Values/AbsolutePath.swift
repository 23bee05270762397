/// An absolute path without `.`, `..` and empty parts. It consists of bytes, because Linux requires no encoding.
public struct AbsolutePath: Hashable, Sendable {
  /// The bytes of the path: `/` alone for the root; otherwise, there is no slash at the end.
  public let bytes: [UInt8]

  /// The greatest length of a path that Linux accepts, in bytes.
  package static let longest = 4096

  package static let root = AbsolutePath(unchecked: [slash])

  private static let slash = UInt8(ascii: "/")

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a path from bytes. Repeated slashes, `.` and a slash at the end are dropped. The part `..` is refused,
  /// because what it means depends on links.
  ///
  /// - Throws: ``ScopeError`` if the path is not absolute, is too long, or contains `..` or a NUL.
  public init(_ bytes: [UInt8]) throws(ScopeError) {
    guard bytes.first == Self.slash else { throw .notAbsolute }
    guard bytes.count <= Self.longest else { throw .tooLong(bytes: bytes.count, most: Self.longest) }
    guard !bytes.contains(0) else { throw .containsNUL }
    if Self.isUsual(bytes) {
      self.bytes = bytes
      return
    }
    let parts = bytes.split(separator: Self.slash).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { throw .leadsUpwards }
    self.bytes = parts.isEmpty ? [Self.slash] : parts.flatMap { [Self.slash] + $0 }
  }

  /// Whether no part is empty, `.` or `..`, as in nearly every path, and in all that the store keeps.
  private static func isUsual(_ bytes: [UInt8]) -> Bool {
    // The length of the last part if it consists of dots, and 3 if it is a name.
    var dots = 3
    for byte in bytes {
      if byte == slash {
        if dots < 3 { return false }
        dots = 0
      } else {
        dots = byte == UInt8(ascii: ".") ? min(dots + 1, 3) : 3
      }
    }
    return dots == 3
  }

  package init(_ bytes: some Collection<UInt8>) throws(ScopeError) { try self.init(Array(bytes)) }

  public init(_ text: some StringProtocol) throws(ScopeError) { try self.init(Array(text.utf8)) }

  /// The folder that contains this entry; `nil` for the root.
  package var parent: AbsolutePath? {
    guard bytes.count > 1, let last = bytes.lastIndex(of: Self.slash) else { return nil }
    return last == 0 ? .root : AbsolutePath(unchecked: Array(bytes[..<last]))
  }

  /// The folders above this entry, the nearest first.
  ///
  /// - Complexity: O(*n*²) in the length of the path.
  package var parents: [AbsolutePath] { Array(sequence(first: self, next: \.parent).dropFirst()) }

  /// Whether another path lies below this folder. A folder does not lie below itself.
  package func isAbove(_ other: AbsolutePath) -> Bool {
    guard other.bytes.count > bytes.count, other.bytes.starts(with: bytes) else { return false }
    return bytes.count == 1 || other.bytes[bytes.count] == Self.slash
  }

  /// The names on the way to this entry, from the top down.
  package var parts: [ArraySlice<UInt8>] { bytes.split(separator: Self.slash) }
}
