/// The reason why the values of a request cannot be looked up.
package enum LookupRefused: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process that asks has ended.
  case processEnded
  /// A value cannot be decided about, or would cost too much.
  case unfit(reason: String)

  package var description: String {
    switch self {
    case .processEnded: "the process that asks has ended"
    case .unfit(let reason): reason
    }
  }
}
