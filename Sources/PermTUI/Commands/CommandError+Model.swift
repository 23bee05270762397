import ArgumentParser
import PermModel

extension CommandError {
  /// The error of a command for whatever the model threw; `nil` for errors that are not the model's.
  init?(model error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case StoreError.nothingToUndo:
      self.init("there is nothing to undo", status: .denied)
    case let StoreError.undoRefused(_, conflicts):
      self.init(
        "cannot undo: decisions changed since",
        advice: conflicts.map(Self.words) + ["decide anew with permtui allow, deny or forget"])
    case let error as StoreError:
      let lines = error.description.split(separator: "\n").map(String.init)
      self.init(lines.first ?? "the store failed", advice: Array(lines.dropFirst()))
    case let error as CapabilityReferenceError: self = .usage("\(error)")
    default: return nil
    }
  }

  private static func words(_ conflict: UndoConflict) -> String {
    let state =
      conflict.found.map { "\($0.verdict.past) \(DecisionWords.lifetime($0.lifetime))" } ?? "undecided"
    return "\(conflict.key.atom) for \(conflict.key.subject.label) is now \(state)"
  }
}
