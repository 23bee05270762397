/// A dialogue that the portal wants to be shown. Its texts are not read: what the person is asked is said in our words.
struct AccessDialog: Hashable, Sendable {
  /// The call that opens a dialogue. The answers to both differ.
  enum Kind { case access, background }

  var kind = Kind.access
  /// The path at which the portal can close the dialogue.
  var handle: String
  var app: String
  var icon: String?
  /// Whether the portal names the buttons.
  var hasLabels = false

  static let types = "osssssa{sv}"

  init(handle: String, app: String, icon: String?, hasLabels: Bool = false) {
    (self.handle, self.app, self.icon, self.hasLabels) = (handle, app, icon, hasLabels)
  }

  init(_ message: BusMessage) throws(BusError) {
    try message.check(Self.types)
    handle = try message.text(.path)
    app = SnapName.plain(try message.text(limit: PermissionRow.longestApp))
    try message.skip("ssss")
    var (icon, hasLabels): (String?, Bool) = (nil, false)
    _ = try message.array("{sv}") { () throws(BusError) in
      try message.inside(.entry, "sv") { () throws(BusError) in
        switch try message.text() {
        case "icon" where message.variantType == "s":
          icon = try message.inside(.variant, "s") { () throws(BusError) in try message.text() }
          return
        case "grant_label": hasLabels = true
        default: break
        }
        try message.skip("v")
      }
    }
    (self.icon, self.hasLabels) = (icon, hasLabels)
  }

  var use: PortalUse? {
    kind == .background ? .background : PortalUse(icon: icon, hasLabels: hasLabels)
  }
}

// MARK: - The notice about an app without a window

extension AccessDialog {
  private static let noticeTypes = "oss"

  /// Creates the dialogue for a notice that an app runs without a window. The app's title is not read.
  init(background message: BusMessage) throws(BusError) {
    try message.check(Self.noticeTypes)
    handle = try message.text(.path)
    app = SnapName.plain(try message.text(limit: PermissionRow.longestApp))
    kind = .background
  }
}

// MARK: - Answers

extension AccessDialog {
  /// The answers of a dialogue, as the portal numbers them.
  private enum Response: UInt32 { case granted, denied, other }

  /// The treatment of an app that runs without a window.
  private enum Notice: UInt32 { case forbid, allow, ignore }

  /// Writes the answer. Where less was allowed than was asked, this time is a no: the portal gives all or nothing.
  func write(_ ruling: RowRuling, to reply: OutgoingMessage) throws(BusError) {
    let response: Response =
      switch (ruling, kind) {
      case (.open, _): .other
      case (.allow, _), (_, .background): .granted
      case (.lesser, _), (.deny, _): .denied
      }
    try reply.add(response.rawValue)
    guard kind == .background else { return try reply.addNoOptions() }
    // Without an answer the app is left alone, and the portal asks again.
    let notice: Notice = ruling == .open ? .ignore : ruling == .allow ? .allow : .forbid
    try reply.add(option: "result", notice.rawValue)
  }
}
