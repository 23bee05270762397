import Machine
import PermModel

/// The desktop's portal (1.16 and later) asks the backend that its settings name. A desktop's own backends go on to serve
/// everything else.
struct PortalConnection: Connection {
  static let program = "permtui-portal"
  private static let name = "org.freedesktop.impl.portal.desktop.permtui"
  private static let access = "org.freedesktop.impl.portal.Access"
  private static let background = "org.freedesktop.impl.portal.Background"
  private static let exec = "Exec="
  /// The name of our file and, from version 1.17 on, of the backend. Version 1.16 takes the first by name.
  private static let backend = "00-permtui"

  /// The program that serves the portal.
  let program: String
  private let places: SettingsPaths

  init(_ places: SettingsPaths) {
    self.places = places
    program = places.program.folderOfPath + "/" + Self.program
  }

  var advice: [String] {
    [
      "It counts from your next login. Now: systemctl --user daemon-reload && systemctl --user restart "
        + "xdg-desktop-portal",
      "Apps are asked about only while a dashboard or 'permtui serve' runs. Otherwise nobody answers, and nothing is stored.",
    ]
      + (places.desktops.isEmpty
        ? [] : ["The windows of \(places.desktops.joined(separator: ", ")) no longer ask about this."])
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    guard FileStatus(program)?.kind == .file else {
      throw CommandError(
        "the program \(Self.program), which serves the portal, is not installed beside this one",
        advice: ["it is in the package \(Self.program)"])
    }
    _ = try TrustedExecutable(program)
    guard folder.allSatisfy(\.isPlainInSettings) else {
      throw CommandError("the path \(folder) cannot be written in the portal's settings")
    }
    var changes: [SettingsChange] = []
    for file in files { changes.append(try file.addition()) }
    for copy in try copies() { changes.append(copy) }
    return changes
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    var changes: [SettingsChange] = []
    for file in files {
      if let change = try file.removal(record) { changes.append(change) }
    }
    for name in Folder.names(in: folder).sorted() where name != Self.backend + ".portal" {
      let file = try SettingsFile("\(folder)/\(name)")
      guard record.made(in: file.path)?.contains(SettingsChange.wholeFile) == true else { continue }
      changes.append(SettingsChange(file: file, after: nil))
    }
    return changes
  }

  func named() throws(CommandError) -> [NamedProgram] {
    try service.lines().filter { $0.hasPrefix(Self.exec) }.map { line in
      NamedProgram(path: String(line.dropFirst(Self.exec.count)), settings: service.path)
    }
  }
}

// MARK: - Files

extension PortalConnection {
  /// The folder from which the portal reads which backends there are.
  private var folder: String { "\(places.data)/permtui/portals" }
  /// The folder that it would read.
  private var usualFolder: String { "\(places.root)/usr/share/xdg-desktop-portal" }
  private var units: String { "\(places.configuration)/systemd/user" }

  private var files: [BlockFile] {
    [service, unit, dropIn, description, preference]
  }

  private func file(_ path: String, _ lines: [String]) -> BlockFile {
    BlockFile(path: path, block: MarkedBlock(name: "portal", lines: lines))
  }

  /// The file by which the session bus starts the program.
  private var service: BlockFile {
    file(
      "\(places.data)/dbus-1/services/\(Self.name).service",
      ["[D-BUS Service]", "Name=\(Self.name)", Self.exec + program, "SystemdService=\(Self.program).service"])
  }

  /// The unit in which systemd runs the program, and starts it again after a crash.
  private var unit: BlockFile {
    file(
      "\(units)/\(Self.program).service",
      [
        "[Unit]", "Description=PermTUI answers the desktop's portal", "[Service]", "Type=dbus",
        "BusName=\(Self.name)", "ExecStart=\(program)", "Restart=on-failure", "RestartSec=100ms",
      ])
  }

  private var dropIn: BlockFile {
    file(
      "\(units)/xdg-desktop-portal.service.d/permtui.conf",
      ["[Service]", "Environment=XDG_DESKTOP_PORTAL_DIR=\(folder)"])
  }

  /// The description of the backend. A desktop knows itself which apps have windows.
  private var description: BlockFile {
    let interfaces = places.desktops.isEmpty ? [Self.access, Self.background] : [Self.access]
    let desktops = places.desktops + ["permtui"]
    return file(
      "\(folder)/\(Self.backend).portal",
      [
        "[portal]", "DBusName=\(Self.name)", "Interfaces=" + interfaces.map { $0 + ";" }.joined(),
        "UseIn=" + desktops.map { $0 + ";" }.joined(),
      ])
  }

  /// The preference for the backend, which versions from 1.17 on read. There, a file of the person's replaces that of the
  /// desktop, so its preferences are repeated.
  private var preference: BlockFile {
    let path = "\(places.configuration)/xdg-desktop-portal/portals.conf"
    let inherited = FileStatus(path) == nil || isOurs(path) ? desktopPreferences : []
    return file(path, ["[preferred]"] + inherited + ["\(Self.access)=\(Self.backend)"])
  }

  /// Whether a file has nothing but our lines.
  private func isOurs(_ path: String) -> Bool {
    Files.text(of: path)?.split(separator: "\n").first?.contains("permtui connect portal") ?? false
  }

  private var desktopPreferences: [String] {
    let names = places.desktops.map { "\($0.lowercased())-portals.conf" } + ["portals.conf"]
    let text = names.firstResult { Files.text(of: "\(usualFolder)/\($0)") } ?? ""
    let lines = text.split(separator: "\n").map(String.init).filter { line in
      line.contains("=") && !line.hasPrefix("#") && !line.hasPrefix(Self.access)
    }
    return lines.contains { $0.hasPrefix("default=") } ? lines : ["default=*"] + lines
  }

  /// The desktop's own descriptions of backends. Version 1.16 reads a single folder, so they have to be in ours, too.
  private func copies() throws(CommandError) -> [SettingsChange] {
    var copies: [SettingsChange] = []
    for name in Folder.names(in: "\(usualFolder)/portals").sorted() where name.hasSuffix(".portal") {
      guard let content = try? Files.bytes(of: "\(usualFolder)/portals/\(name)", limit: 1 << 16) else {
        continue
      }
      let file = try SettingsFile("\(folder)/\(name)")
      copies.append(SettingsChange(file: file, after: content, made: [SettingsChange.wholeFile]))
    }
    return copies
  }
}
