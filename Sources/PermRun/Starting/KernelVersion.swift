import CFuse
import Machine

/// The version of a kernel, as far as programs can depend on it.
struct KernelVersion: Comparable {
  var major: Int
  var minor: Int

  /// The first kernel with all that the walls are made of.
  static let needed = KernelVersion(major: 5, minor: 19)

  static func < (one: KernelVersion, other: KernelVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}

extension KernelVersion {
  /// - Parameter release: The release as the kernel tells it, such as `6.1.0-13-amd64`.
  init?(release: String) {
    let numbers = release.split(separator: ".", maxSplits: 2).map { $0.prefix { $0.isNumber } }
    guard numbers.count >= 2, let major = Int(numbers[0]), let minor = Int(numbers[1]) else { return nil }
    self.init(major: major, minor: minor)
  }

  /// The release that the running kernel tells.
  static var runningRelease: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Makes sure that a kernel is new enough. If its version cannot be read, the start itself shows what is missing.
  static func check(release: String) throws(WallsFailure) {
    guard let version = KernelVersion(release: release), version < needed else { return }
    throw WallsFailure(
      "this machine has Linux \(release); the walls need \(needed.major).\(needed.minor) or newer")
  }
}
