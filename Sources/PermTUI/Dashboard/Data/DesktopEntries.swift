import PermModel

/// The rows of the desktop's permission store, which says what apps may do, in the desktop's own terms.
struct DesktopEntries: Sendable {
  /// Identifies a row by its table, its thing, for example `camera`, and its app.
  struct ID: Hashable, Comparable, Sendable {
    var table: String
    var thing: String
    /// The app; empty for every program whose name the desktop does not know.
    var app: String

    static func < (one: ID, other: ID) -> Bool {
      (one.app, one.table, one.thing) < (other.app, other.table, other.thing)
    }
  }

  /// A row as it is now; without permissions it is gone.
  struct News: Hashable, Sendable {
    var id: ID
    var permissions: [String]?
  }

  /// The rows in the order of their apps.
  private(set) var ids: [ID] = []
  /// How often many rows came or went at once, as at the beginning, when they arrive in parts.
  private(set) var listings = 0
  private var permissions: [ID: [String]] = [:]
  private var ofCapability: [String: [ID]] = [:]
  private var ofApp: [String: [ID]] = [:]

  /// The word that marks a row as the desktop's among those of our decisions.
  static let mark = "desktop"

  subscript(id: ID) -> [String]? { permissions[id] }

  /// The rows about what a capability of ours is about, too.
  func ids(about capability: String) -> [ID] { ofCapability[capability] ?? [] }

  /// The rows of an app.
  func ids(of app: String) -> [ID] { ofApp[app] ?? [] }

  /// Takes over what has changed. Returns whether rows came or went.
  mutating func take(_ news: [News]) -> Bool {
    var (added, removed) = ([ID](), [ID]())
    for row in news {
      let isKnown = permissions[row.id] != nil
      permissions[row.id] = row.permissions
      if row.permissions == nil, isKnown { removed.append(row.id) }
      if row.permissions != nil, !isKnown { added.append(row.id) }
    }
    guard !added.isEmpty || !removed.isEmpty else { return false }
    if added.count + removed.count > Self.few { group(with: added) } else { move(added, removed) }
    return true
  }

  /// The number of rows up to which each that came or went is put in its place on its own.
  private static let few = 16

  private mutating func group(with added: [ID]) {
    listings += 1
    // A row that came and went again is no longer there.
    let known = Set(ids)
    let new = Set(added).subtracting(known).filter { permissions[$0] != nil }
    ids = ids.filter { permissions[$0] != nil }.merged(with: new.sorted())
    ofCapability = Dictionary(grouping: ids.filter { $0.capability != nil }) { $0.capability ?? "" }
    ofApp = Dictionary(grouping: ids, by: \.app)
  }

  private mutating func move(_ added: [ID], _ removed: [ID]) {
    for id in Set(added + removed) {
      let isThere = permissions[id] != nil
      ids.put(id, isThere)
      ofApp[id.app, default: []].put(id, isThere)
      if let capability = id.capability { ofCapability[capability, default: []].put(id, isThere) }
    }
  }
}

extension [DesktopEntries.ID] {
  /// Puts an element in its place, or takes it away. The elements are in order.
  fileprivate mutating func put(_ id: DesktopEntries.ID, _ isThere: Bool) {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    let wasThere = low < endIndex && self[low] == id
    if isThere, !wasThere { insert(id, at: low) }
    if !isThere, wasThere { remove(at: low) }
  }

  /// Returns the elements of both, if both are in order.
  fileprivate func merged(with others: [DesktopEntries.ID]) -> [DesktopEntries.ID] {
    var (all, own) = ([DesktopEntries.ID](), self[...])
    all.reserveCapacity(count + others.count)
    for other in others {
      while let next = own.first, next < other { all.append(own.removeFirst()) }
      all.append(other)
    }
    return all + own
  }
}

// MARK: - The desktop's terms

extension DesktopEntries.ID {
  /// The capability of ours that is about the same; `nil` if none is.
  var capability: String? {
    switch (table, thing) {
    case ("devices", "camera"), ("devices", "microphone"), ("location", "location"): thing
    case ("notifications", "notification"): "notifications"
    case ("devices", "speakers"), ("screenshot", _), ("wallpaper", _), ("background", _): "tools"
    default: nil
    }
  }

  /// The row's thing, for example `devices/camera`.
  var place: String { table == thing ? thing : "\(table)/\(thing)" }

  /// The app as people read it. The words are not escaped.
  var appWords: String { app.isEmpty ? "apps without a name" : app }

  /// Whether the row belongs to another service of the desktop, and is only shown.
  var isForeign: Bool { table == "documents" }

  /// Returns the permissions that the row gets when it is changed: the next narrower ones, and after the narrowest all of
  /// them; `nil` if it is not known which there are.
  func next(after permissions: [String]) -> [String]? {
    guard !isForeign, let value = permissions.first else { return nil }
    guard table == "location" else {
      // The others have a single word: yes, no or ask.
      return permissions.count > 1 ? nil : [value == "no" ? "yes" : "no"]
    }
    let next = ["EXACT": "CITY", "STREET": "CITY", "NEIGHBORHOOD": "CITY", "NONE": "EXACT"]
    return [next[value] ?? "NONE"] + permissions.dropFirst()
  }
}

extension DesktopEntries {
  /// Whether permissions allow nothing.
  static func areDenials(_ permissions: [String]) -> Bool { ["no", "NONE"].contains(permissions.first) }
}

/// A change of a row that the person has made here.
struct DesktopChange: Hashable, Sendable {
  var id: DesktopEntries.ID
  /// The permissions before and after; `nil` if there was or is no row.
  var before: [String]?
  var after: [String]?

  var reversed: DesktopChange { DesktopChange(id: id, before: after, after: before) }

  /// The change in the desktop's terms, for example `devices/camera: no, was yes`. The words are not escaped.
  var words: String { "\(id.place): \(Self.words(after)), was \(Self.words(before))" }

  private static func words(_ permissions: [String]?) -> String {
    permissions.map { $0.joined(separator: " ") } ?? "no row"
  }

  /// The program whose row it is; `nil` if it has no name that we take.
  var subject: Subject? { id.app.isEmpty ? nil : Subject(vouched: "app:\(id.app)") }
}
