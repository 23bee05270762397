import CFuse
import Machine

/// A reason for which a program is not started: it never runs without its walls.
struct WallsFailure: Error, Hashable {
  /// The sentence for the person, with what helps if anything does.
  var text: String

  /// The exit status, as with `env`.
  static let status: Int32 = 125

  init(_ text: String) { self.text = text }

  /// - Parameters:
  ///   - step: The step of the start that failed.
  ///   - code: The error number.
  init(step: UInt32, code: Int32, fuse: String) {
    let attempt = Self.attempts[Int(step)] ?? "build the walls"
    text = "cannot \(attempt): \(SystemError.reason(code))\(Self.help(step: step, code: code, fuse: fuse))"
  }

  private static let attempts: [Int: String] = [
    1: "make namespaces", 2: "map the user into the namespace", 3: "open the FUSE device",
    4: "make the new root",
    5: "mount the files", 6: "bind the system's folders", 7: "make the devices", 8: "mount /tmp",
    9: "make the first process", 10: "make the empty network", 11: "drop the rights",
    12: "install the filter",
    13: "enter the working folder", 14: "make a terminal",
    15: "use a folder as it is outside",
  ]

  private static func help(step: UInt32, code: Int32, fuse: String) -> String {
    switch step {
    case 1, 2:
      """
      .
      This machine does not let programs make sandboxes. Ubuntu allows it to known programs: the package permtui \
      brings the rule. Elsewhere, as root: sysctl user.max_user_namespaces=10000
      """
    case 12 where code == EBUSY:
      """
      .
      Another program, such as that of a container, already looks at the system calls here, so single connections cannot be \
      asked about. Start the program outside of it
      """
    case 15 where code == ESTALE: ". Another program has put something else in its place"
    case 3: ". The walls need \(fuse). As root: modprobe fuse; chmod 666 \(fuse)"
    default: ""
    }
  }
}
