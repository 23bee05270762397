/// The name of this machine, as others reach it.
package enum HostName {
  /// The name, with only those characters that a name can have. They mean nothing to a shell.
  package static let current: String = {
    let name = Files.text(of: "/proc/sys/kernel/hostname")?.utf8.filter(isPart) ?? []
    return name.isEmpty ? "localhost" : String(decoding: name, as: UTF8.self)
  }()

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
