/// The list of a repository's files, as git keeps it.
struct GitIndex {
  private let bytes: [UInt8]
  private let version: Int

  /// Reads the header; `nil` if the list has another format.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "DIRC".utf8), bytes.count >= 32 else { return nil }
    self.bytes = bytes
    version = Self.number(bytes[4..<8])
    guard (2...4).contains(version) else { return nil }
  }

  /// Whether the list names a submodule, whose settings count as well; `nil` if that is not certain.
  var hasSubmodules: Bool? {
    var place = 12
    for _ in 0..<Self.number(bytes[8..<12]) {
      guard place + 64 <= bytes.count else { return nil }
      if Self.number(bytes[(place + 24)..<(place + 28)]) & 0o170000 == 0o160000 { return true }
      guard let next = entry(after: place) else { return nil }
      place = next
    }
    return isSplit(from: place) ? nil : false
  }

  /// The place behind the entry that begins at a place.
  private func entry(after place: Int) -> Int? {
    let isLong = version > 2 && bytes[place + 60] & 0x40 != 0
    var name = place + (isLong ? 64 : 62)
    // The last version begins a name with the number of bytes that it shares with the one before.
    if version == 4 { name += bytes[min(name, bytes.count)...].prefix { $0 & 0x80 != 0 }.count + 1 }
    guard name < bytes.count, let end = bytes[name...].firstIndex(of: 0) else { return nil }
    return version == 4 ? end + 1 : place + (end - place + 8) & ~7
  }

  /// Whether a part of the list is in another file.
  private func isSplit(from start: Int) -> Bool {
    var place = start
    // The hash of all this has 20 bytes.
    while place + 28 <= bytes.count {
      if bytes[place..<(place + 4)].elementsEqual("link".utf8) { return true }
      place += 8 + Self.number(bytes[(place + 4)..<(place + 8)])
    }
    return false
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
