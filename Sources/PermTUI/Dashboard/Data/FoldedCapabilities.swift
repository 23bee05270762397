import PermModel

extension Collection {
  /// Returns the capabilities that lists fold into one line: those that this machine does not have and no program ever
  /// used. A single one is not folded.
  func folded(isAbsent: (Element) -> Bool, isUsed: (Element) -> Bool) -> [Element] {
    let found = filter { isAbsent($0) && !isUsed($0) }
    return found.count > 1 ? found : []
  }
}

extension CapabilitySummary {
  /// Whether a program has ever asked for the capability, or anything is decided about it.
  var isUsed: Bool { allowed + denied + waiting > 0 || lastAsked != nil }
}
