/// The dialogues that the portal has opened and not closed.
struct OpenDialogs {
  struct Open {
    var dialog: AccessDialog
    /// The use and its row; `nil` if it is not known what the dialogue asks about.
    var use: PortalUse?
    /// The call, which is answered when the dialogue ends.
    var call: BusMessage
    var question: Task<Void, Never>?

    var row: PermissionRow? { use?.row(of: dialog.app) }
  }

  /// The number of dialogues that may be open at once.
  static let most = 64

  private var all: [Int: Open] = [:]
  private var next = 1

  var isFull: Bool { all.count >= Self.most }
  var numbers: [Int] { all.keys.sorted() }

  /// Adds a dialogue, and returns its number.
  mutating func add(_ open: Open) -> Int {
    defer { next += 1 }
    all[next] = open
    return next
  }

  subscript(number: Int) -> Open? {
    get { all[number] }
    set { all[number] = newValue }
  }

  mutating func remove(_ number: Int) -> Open? { all.removeValue(forKey: number) }

  /// Returns the number of the dialogue that can be closed at a path.
  func number(at handle: String) -> Int? { all.first { $0.value.dialog.handle == handle }?.key }
}
