/// Everything that waits for a person, in the order in which it comes up.
///
/// The board is a value: events come in as calls, and effects go out. Each rule about waiting, order, joining, showing,
/// setting aside and answering is here and nowhere else, in one file for each family of events. A ``BoardKeeper`` carries
/// out the effects.
///
/// - At most one item is up, because an item needs the modal slot's exclusion category to be shown.
/// - Each request ends exactly once.
/// - An answer counts only for the alert as it is on the screens now.
package struct Board: Sendable {
  package internal(set) var items: [Item.ID: Item] = [:]
  /// The item that each waiting request belongs to.
  package internal(set) var homes: [Request.ID: Item.ID] = [:]
  /// The item of each alert.
  package internal(set) var alerts: [Alert.ID: Item.ID] = [:]
  /// The items that requests can join.
  var joinable: [Key: Item.ID] = [:]
  /// The items that were set aside, in that order. Some might have come up again since.
  var asides: [Item.ID] = []
  /// The items that wait for the modal slot, except those with a lease.
  var line = BoardLine()
  var claims: [Claim.ID: Claim] = [:]
  package internal(set) var screens: [Screen] = []
  /// The alerts that screens are taking away.
  var leaving: [Visit: Alert.ID] = [:]
  var limits: RequestLimits?
  var patients = PatientRequests()
  /// Whether an item ends if a screen does not show it. Otherwise it waits for another screen.
  let endsIfDeclined: Bool
  private var effects: [Effect] = []
  private var lastNumber = 0

  /// - Parameters:
  ///   - limits: The limits on requests that need a new alert; `nil` for none.
  ///   - endsIfDeclined: Whether an item ends if a screen does not show it.
  package init(limits: RequestLimits.Settings? = nil, endsIfDeclined: Bool = false) {
    self.limits = limits.map { RequestLimits(settings: $0) }
    self.endsIfDeclined = endsIfDeclined
  }

  /// Returns the effects of all events since the last call, and forgets them.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  /// Returns a number that was not used before.
  mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
