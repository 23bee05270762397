/// A protocol in which a program asks for values in less detail than a request to the broker does.
package enum Dialect: String, Hashable, Sendable, Codable, CaseIterable {
  /// The protocol of Deno's permission broker, as Deno 2.9 speaks it.
  ///
  /// A question about a host does not say whether the program connects or listens, one about a command names only the
  /// command's program, and one about a variable does not say whether the program reads or sets it.
  case deno
  /// The hooks of Codex 0.163, which do not say in which folder a line runs.
  case codex
}
