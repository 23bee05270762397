extension InputDecoder {
  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  /// Handles one byte of a paste. `ending` is the number of bytes of the end mark that directly precede this byte.
  mutating func paste(_ bytes: [UInt8], _ ending: Int, _ byte: UInt8, _ events: inout [InputEvent]) {
    // The bytes are taken out of the state first, so that appending does not copy the whole paste for each byte.
    var bytes = bytes
    state = .ground
    var ending = ending
    if byte == Self.pasteEnd[ending] {
      ending += 1
    } else {
      keep(Self.pasteEnd.prefix(ending), &bytes)
      ending = byte == 0x1b ? 1 : 0
      if ending == 0 { keep([byte], &bytes) }
    }
    if ending == Self.pasteEnd.count {
      events.append(.paste(String(decoding: bytes, as: UTF8.self)))
    } else {
      state = .paste(bytes, ending: ending)
    }
  }

  /// Skips the bytes of a stalled paste up to its end mark, or up to an Escape that nothing follows.
  mutating func passStalledPaste(_ ending: Int, _ byte: UInt8, _ events: inout [InputEvent]) {
    let seen = byte == Self.pasteEnd[ending] ? ending + 1 : byte == 0x1b ? 1 : 0
    state = seen == Self.pasteEnd.count ? .ground : .stalledPaste(ending: seen)
    if seen == Self.pasteEnd.count { events.append(.noise) }
  }

  private func keep(_ more: some Collection<UInt8>, _ bytes: inout [UInt8]) {
    if bytes.count + more.count <= Self.pasteLimit { bytes.append(contentsOf: more) }
  }
}
