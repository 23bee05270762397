import PermModel

/// The names that programs inside have looked up, each with an address that stands for it until the run ends.
struct RunNames: Sendable {
  private var names: [Host] = []
  private var numbers: [Host: UInt32] = [:]

  /// The first address that stands for a name. The one before is the run's own.
  private static let first: UInt32 = 0xc612_0002
  /// The largest number of names. A program that looks up more gets no answers.
  private static let most = 1 << 16

  /// Returns the address that stands for a name; `nil` if there are too many names.
  mutating func address(for name: Host) -> Address? {
    if name.name == "localhost" || name.name.hasSuffix(".localhost") { return .loopback }
    if let number = numbers[name] { return Address(number) }
    guard names.count < Self.most else { return nil }
    let number = Self.first + UInt32(names.count)
    names.append(name)
    numbers[name] = number
    return Address(number)
  }

  /// Returns the name for which an address stands; `nil` if it stands for none.
  func name(of address: Address) -> Host? {
    guard let number = address.number, number >= Self.first else { return nil }
    let place = Int(number - Self.first)
    return place < names.count ? names[place] : nil
  }

  /// Whether an address could stand for a name.
  static func mayStand(_ address: Address) -> Bool {
    address.number.map { $0 >> 17 == first >> 17 } ?? false
  }
}
