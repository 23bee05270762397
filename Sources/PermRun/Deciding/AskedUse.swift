import PermBroker
import PermModel

/// A use that has to be allowed, and that a person can be asked about.
protocol AskedUse: Hashable, Sendable {
  var atom: Atom { get }
  /// The reason why only a decision about exactly this use counts; `nil` if others count, too.
  var caution: RunQuestion.Caution? { get }
}
