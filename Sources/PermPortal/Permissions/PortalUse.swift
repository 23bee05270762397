import PermModel

/// A use that the portal's dialogues ask about.
enum PortalUse: String, CaseIterable, Sendable {
  case camera, microphone, speakers, location, screenshot, wallpaper, background

  /// The icon of the dialogue, which alone tells what it asks about: its texts are in the person's language, and in part
  /// the app's own.
  private var icon: String? {
    switch self {
    case .camera: "camera-web-symbolic"
    case .microphone: "audio-input-microphone-symbolic"
    case .speakers: "audio-speakers-symbolic"
    case .location: "find-location-symbolic"
    case .screenshot: "applets-screenshooter-symbolic"
    case .wallpaper: "preferences-desktop-wallpaper-symbolic"
    case .background: nil
    }
  }

  /// - Parameters:
  ///   - icon: The icon of the dialogue, if it has one.
  ///   - hasLabels: Whether the portal names the buttons of the dialogue.
  init?(icon: String?, hasLabels: Bool) {
    guard let icon else {
      // Of the dialogues without an icon, there is only this one.
      guard hasLabels else { return nil }
      self = .background
      return
    }
    guard let use = Self.allCases.first(where: { $0.icon == icon }) else { return nil }
    self = use
  }

  /// The use that a row of the desktop's store is about; `nil` if no dialogue asks about it.
  init?(_ row: PermissionRow) {
    guard let use = Self.allCases.first(where: { $0.row(of: row.app) == row }) else { return nil }
    self = use
  }

  /// The atoms that a request asks for. A use without a capability of its own is asked as a tool, under the name of that use.
  var atoms: Set<Atom> {
    switch self {
    case .camera: [Atom("camera")]
    case .microphone: [Atom("microphone")]
    case .location: [Self.approximate, Atom("location", "precise")]
    case .speakers: [Self.tool("play-sound")]
    case .screenshot: [Self.tool("take-screenshots")]
    case .wallpaper: [Self.tool("set-the-wallpaper")]
    case .background: [Self.tool("run-in-the-background")]
    }
  }

  /// The smaller use that can be allowed instead; `nil` if there is none.
  var lesser: Set<Atom>? { self == .location ? [Self.approximate] : nil }

  private static let approximate = Atom("location", "when-in-use")

  private static func tool(_ name: String) -> Atom { Atom("tools", "use", .name(name)) }

  /// Whether allowing these atoms allows others, too. An answer names only the widest: a yes to the exact location says
  /// nothing of the approximate one, which is part of it.
  func isCovered(_ atoms: Set<Atom>, by allowed: Set<Atom>) -> Bool {
    let definition = atoms.first.flatMap { CapabilityCatalogue.builtIn[$0.capability]?.definition }
    return atoms.allSatisfy { atom in
      allowed.contains { $0 == atom || definition?.covers($0, atom) == true }
    }
  }

  /// The row in which the portal keeps the answer.
  func row(of app: String) -> PermissionRow {
    switch self {
    case .camera, .microphone, .speakers: PermissionRow(table: "devices", id: rawValue, app: app)
    default: PermissionRow(table: rawValue, id: rawValue, app: app)
    }
  }

  /// The reason that the alert shows. Neither the portal's nor the app's words are in it.
  var reason: String {
    switch self {
    case .camera: "it wants pictures from the camera"
    case .microphone: "it wants to listen to the microphone"
    case .speakers: "it wants to play sound"
    case .location: "it wants to know where this machine is"
    case .screenshot: "it wants pictures of the screen"
    case .wallpaper: "it wants to change the picture behind the windows"
    case .background: "it wants to go on running without a window"
    }
  }
}

// MARK: - Values of rows

extension PortalUse {
  /// The meaning of a row's value.
  enum Meaning: Hashable, Sendable {
    case yes
    /// A smaller use than the whole one.
    case lesser
    case no
    /// Neither: the portal asks each time, or it is a value that we do not know.
    case other
  }

  func meaning(of value: String) -> Meaning {
    switch (self, value) {
    case (.location, "EXACT"), (_, "yes"): .yes
    case (.location, "NONE"), (_, "no"): .no
    case (.location, "CITY"): .lesser
    default: .other
    }
  }

  /// The value that a row has if this is allowed. The portal keeps the time of the last use beside a location.
  func permissions(for meaning: Meaning) -> [String]? {
    switch (self, meaning) {
    case (.location, .yes): ["EXACT", "0"]
    case (.location, .lesser): ["CITY", "0"]
    case (.location, .no): ["NONE", "0"]
    case (_, .yes): ["yes"]
    case (_, .no): ["no"]
    default: nil
    }
  }
}
