/// An IP address. Every spelling that a resolver accepts is read, and each address is written in a single way.
struct IPAddress: Hashable {
  /// The address in words of 16 bits: two words for version 4, eight for version 6.
  let words: [UInt16]

  /// Creates an address from its canonical spelling; `nil` if the text is a name.
  init?(canonical text: String) {
    let read =
      text.contains(":")
      ? try? IPAddress(version6: text)
      : try? IPAddress(version4: text.split(separator: ".", omittingEmptySubsequences: false))
    guard let read else { return nil }
    self = read
  }

  /// The canonical spelling: four decimal numbers, or the form of RFC 5952 without brackets.
  var text: String { words.count == 2 ? version4Text : version6Text }

  // MARK: Version 4

  /// Whether `inet_aton` would read a label as a number: decimal, octal after `0`, or hexadecimal after `0x`.
  static func isNumber(_ label: Substring) -> Bool {
    label.first?.isWholeNumber == true && (label.allSatisfy(\.isWholeNumber) || label.hasPrefix("0x"))
  }

  /// Creates an address from one to four numbers. As in `inet_aton`, the last number fills the remaining bytes.
  init(version4 labels: [Substring]) throws(ScopeError.HostFault) {
    var numbers: [UInt64] = []
    for label in labels {
      guard let number = Self.number(label) else { throw .address }
      numbers.append(number)
    }
    guard (1...4).contains(numbers.count), let last = numbers.popLast() else { throw .address }
    guard numbers.allSatisfy({ $0 < 256 }), last < 1 << UInt64(8 * (4 - numbers.count)) else {
      throw .address
    }
    let high = numbers.enumerated().reduce(UInt64(0)) { $0 | $1.element << UInt64(8 * (3 - $1.offset)) }
    let value = high | last
    words = [UInt16(value >> 16), UInt16(value & 0xffff)]
  }

  private static func number(_ label: Substring) -> UInt64? {
    guard isNumber(label) else { return nil }
    if label.hasPrefix("0x") { return UInt64(label.dropFirst(2), radix: 16) }
    return label.count > 1 && label.hasPrefix("0") ? UInt64(label, radix: 8) : UInt64(label)
  }

  private var version4Text: String {
    words.flatMap { [$0 >> 8, $0 & 0xff] }.map(String.init).joined(separator: ".")
  }

  // MARK: Version 6

  /// Reads an address with or without brackets. An address that maps an IPv4 address becomes that IPv4 address.
  init(version6 text: String) throws(ScopeError.HostFault) {
    var inner = text[...]
    if inner.hasPrefix("[") {
      guard inner.hasSuffix("]") else { throw .address }
      inner = inner.dropFirst().dropLast()
    }
    guard !inner.contains("%") else { throw .zone }
    let halves = Self.halves(inner)
    let (head, tail) = (
      try Self.words(halves.head, isLast: halves.tail == nil), try Self.words(halves.tail ?? "", isLast: true)
    )
    let missing = 8 - head.count - tail.count
    guard halves.tail == nil ? missing == 0 : missing > 0 else { throw .address }
    let all = head + [UInt16](repeating: 0, count: missing) + tail
    words = all.dropLast(2) == [0, 0, 0, 0, 0, 0xffff] ? Array(all.suffix(2)) : all
  }

  /// Returns the parts before and after `::`. The second is `nil` if there is no `::`.
  private static func halves(_ text: Substring) -> (head: Substring, tail: Substring?) {
    guard let gap = text.firstRange(of: "::") else { return (text, nil) }
    return (text[..<gap.lowerBound], text[gap.upperBound...])
  }

  private static func words(_ text: Substring, isLast: Bool) throws(ScopeError.HostFault) -> [UInt16] {
    guard !text.isEmpty else { return [] }
    var words: [UInt16] = []
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, group) in groups.enumerated() {
      if isLast, index == groups.count - 1, group.contains(".") {
        words += try quad(group)
      } else {
        guard (1...4).contains(group.utf8.count), group.allSatisfy(\.isHexDigit),
          let word = UInt16(group, radix: 16)
        else { throw .address }
        words.append(word)
      }
    }
    return words
  }

  /// Reads the four decimal numbers that can end an IPv6 address.
  private static func quad(_ text: Substring) throws(ScopeError.HostFault) -> [UInt16] {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = labels.allSatisfy { $0.allSatisfy(\.isWholeNumber) && ($0 == "0" || !$0.hasPrefix("0")) }
    guard labels.count == 4, isPlain else { throw .address }
    return try IPAddress(version4: labels).words
  }

  private var version6Text: String {
    let zeros = longestZeros
    let groups = words.map { String($0, radix: 16) }
    guard zeros.count > 1 else { return groups.joined(separator: ":") }
    return groups[..<zeros.lowerBound].joined(separator: ":") + "::"
      + groups[zeros.upperBound...].joined(separator: ":")
  }

  /// The longest run of zeros; the first one if several are equally long.
  private var longestZeros: Range<Int> {
    var longest = 0..<0
    for start in words.indices {
      let end = words[start...].firstIndex { $0 != 0 } ?? words.endIndex
      if end - start > longest.count { longest = start..<end }
    }
    return longest
  }
}
