import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Connecting the desktop's portal")
struct PortalConnectionTests {
  private static let name = "org.freedesktop.impl.portal.desktop.permtui"
  private static let service = ".local/share/dbus-1/services/\(name).service"
  private static let portals = ".local/share/permtui/portals"
  private static let preference = ".config/xdg-desktop-portal/portals.conf"
  private static let system = "root/usr/share/xdg-desktop-portal"

  private let trial: ConnectTrial

  init() throws {
    trial = try ConnectTrial()
    try trial.file("bin/permtui-portal", "#!/bin/sh\n", mode: 0o755)
  }

  /// The lines of ours in a file.
  private func lines(_ name: String) -> [String] {
    (trial.text(name) ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test("Without a desktop, the portal asks here about everything that the backend serves")
  func alone() throws {
    #expect(try trial.run(.portal, .write).error == nil)
    #expect(
      lines(Self.service) == [
        "[D-BUS Service]", "Name=\(Self.name)", "Exec=\(trial.home)/bin/permtui-portal",
        "SystemdService=permtui-portal.service",
      ])
    #expect(
      lines("\(Self.portals)/00-permtui.portal") == [
        "[portal]", "DBusName=\(Self.name)",
        "Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Background;",
        "UseIn=permtui;",
      ])
    #expect(
      lines(".config/systemd/user/xdg-desktop-portal.service.d/permtui.conf") == [
        "[Service]", "Environment=XDG_DESKTOP_PORTAL_DIR=\(trial.home)/\(Self.portals)",
      ])
    #expect(
      lines(Self.preference) == [
        "[preferred]", "default=*", "org.freedesktop.impl.portal.Access=00-permtui",
      ])
    #expect(lines(".config/systemd/user/permtui-portal.service").contains("Restart=on-failure"))
  }

  @Test("Beside a desktop, its backends and preferences stay, and only the questions about apps come here")
  func besideDesktop() throws {
    try trial.file("\(Self.system)/portals/gtk.portal", "[portal]\nDBusName=gtk\n")
    try trial.file(
      "\(Self.system)/gnome-portals.conf",
      "[preferred]\ndefault=gnome;gtk;\norg.freedesktop.impl.portal.Access=gtk\norg.freedesktop.impl.portal.Secret=keyring\n"
    )
    var places = trial.places
    places.desktops = ["GNOME"]
    #expect(try trial.run(.portal, .write, places: places).error == nil)
    #expect(trial.text("\(Self.portals)/gtk.portal") == "[portal]\nDBusName=gtk\n")
    #expect(
      lines("\(Self.portals)/00-permtui.portal").suffix(2) == [
        "Interfaces=org.freedesktop.impl.portal.Access;", "UseIn=GNOME;permtui;",
      ])
    #expect(
      lines(Self.preference) == [
        "[preferred]", "default=gnome;gtk;", "org.freedesktop.impl.portal.Secret=keyring",
        "org.freedesktop.impl.portal.Access=00-permtui",
      ])
    let again = try trial.run(.portal, .show, places: places)
    #expect(again.messages.contains("portal is already connected"))
  }

  @Test("A person's own preferences stay, and all that was written is taken away again")
  func removal() throws {
    try trial.file("\(Self.system)/portals/gtk.portal", "[portal]\n")
    try trial.file(Self.preference, "[preferred]\ndefault=kde\n")
    try trial.run(.portal, .write)
    #expect(lines(Self.preference).last == "org.freedesktop.impl.portal.Access=00-permtui")
    #expect(lines(Self.preference).filter { $0.hasPrefix("default=") } == ["default=kde"])
    #expect(try trial.run(.portal, .remove).error == nil)
    #expect(trial.text(Self.preference) == "[preferred]\ndefault=kde\n")
    #expect(trial.names(in: Self.portals).isEmpty)
    #expect(trial.text(Self.service) == nil)
    #expect(
      ConnectionCheckup(trial.places).findings.contains { $0.what.contains("portal") && $0.level == .ok })
  }

  @Test("Without the package, the message names it")
  func noProgram() throws {
    Files.remove(trial.path("bin/permtui-portal"))
    let error = try trial.run(.portal, .write).error
    #expect(error?.advice == ["it is in the package permtui-portal"])
    #expect(trial.text(Self.service) == nil)
  }

  @Test("Doctor reports a backend that is connected")
  func doctor() throws {
    try trial.run(.portal, .write)
    let found = ConnectionCheckup(trial.places).findings.map(\.what)
    #expect(found.first == "portal asks here (~/\(Self.service))")
  }
}
