/// The times at which a zone's clocks change, from the time zone database's compiled files (TZif).
struct TimeZoneRules {
  private struct Change {
    /// The time at which it begins, in seconds since 1970.
    var start: Int64
    /// The number of seconds by which its clocks are ahead of UTC.
    var offset: Int64
  }

  private var changes: [Change] = []
  private var firstOffset: Int64 = 0

  /// Reads the rules of a zone, for example `Europe/Berlin`; returns `nil` if there is no such zone.
  init?(named name: String, folder: String = "/usr/share/zoneinfo") {
    guard !name.contains(".."), !name.hasPrefix("/"),
      let bytes = FileSystem().bytes(of: "\(folder)/\(name)", limit: 1 << 18)
    else { return nil }
    self.init(bytes)
  }

  /// Reads a file's second block, in which moments have 64 bits.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let first = reader.header(), first.version >= 2 else { return nil }
    reader.position += first.dataSize(momentSize: 4)
    guard let header = reader.header() else { return nil }
    let starts = reader.read(header.changes) { $0.integer(8) }
    let kinds = reader.read(header.changes) { $0.integer(1) }
    let offsets = reader.read(header.kinds) { reader -> Int64? in
      let offset = reader.integer(4)
      reader.position += 2
      return offset
    }
    guard let starts, let kinds, let offsets, let first = offsets.first else { return nil }
    firstOffset = first
    for (start, kind) in zip(starts, kinds) where offsets.indices.contains(Int(kind)) {
      changes.append(Change(start: start, offset: offsets[Int(kind)]))
    }
  }

  /// Returns the moment at which the zone's clocks show a time, both in seconds since 1970.
  func seconds(ofLocal local: Int64) -> Int64 {
    local - (changes.last { $0.start + $0.offset <= local }?.offset ?? firstOffset)
  }
}

extension TimeZoneRules {
  /// The number of items of each kind in a block.
  private struct Header {
    var version: Int64
    var universal: Int, standard: Int, leaps: Int, changes: Int, kinds: Int, letters: Int

    func dataSize(momentSize: Int) -> Int {
      changes * (momentSize + 1) + kinds * 6 + letters + leaps * (momentSize + 4) + standard + universal
    }
  }

  /// Reads numbers with the most significant byte first.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func header() -> Header? {
      guard bytes.dropFirst(position).starts(with: Array("TZif".utf8)) else { return nil }
      position += 4
      guard let mark = integer(1) else { return nil }
      position += 15
      guard let counts = read(6, { $0.integer(4) }) else { return nil }
      let count = counts.map { Int($0) }
      guard count.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
      return Header(
        version: mark == 0 ? 1 : mark - Int64(UInt8(ascii: "0")), universal: count[0], standard: count[1],
        leaps: count[2], changes: count[3], kinds: count[4], letters: count[5])
    }

    mutating func integer(_ size: Int) -> Int64? {
      guard position + size <= bytes.count else { return nil }
      let value = bytes[position..<(position + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      position += size
      let unused = UInt64(64 - size * 8)
      return size == 1 ? Int64(value) : Int64(bitPattern: value << unused) >> Int64(unused)
    }

    mutating func read(_ count: Int, _ one: (inout Reader) -> Int64?) -> [Int64]? {
      var values: [Int64] = []
      for _ in 0..<count {
        guard let value = one(&self) else { return nil }
        values.append(value)
      }
      return values
    }
  }
}
