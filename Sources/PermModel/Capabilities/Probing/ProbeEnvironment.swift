import Machine

/// The files and folders that probes look at. They are all stored as paths, so that a test can substitute
/// files of its own for those of the machine.
public struct ProbeEnvironment: Hashable, Sendable {
  public var home: String
  public var configHome: String
  public var dataHome: String
  /// The pictures folder: the one that the desktop's `user-dirs.dirs` names, or a default.
  public var pictures: String
  /// The folders in which to look for calendars. A calendar is a folder of `.ics` files (a vdir). Each of the folders
  /// either is a calendar or contains calendars.
  package var calendarFolders: [String] = []
  /// The folders in which to look for address books. An address book is a folder of `.vcf` files (a vdir).
  package var contactFolders: [String] = []
  /// The folder with one file of measurements for each type of health data; `nil` if no such folder is configured.
  package var healthFolder: String?
  /// The folder with passes, which are `.pkpass` files.
  package var passFolder = ""
  package var devices: String
  package var processes: String
  /// The folder in which the kernel describes devices.
  package var system: String
  /// The folders with descriptions of the services that D-Bus can start on the session bus.
  package var sessionServices: [String]
  /// The folders with descriptions of the services that D-Bus can start on the system bus.
  package var systemServices: [String]
  /// The policy file, which only root is allowed to change.
  package var policyFile: String

  public init(root: String = "", home: String) {
    self.home = home
    configHome = "\(home)/.config"
    dataHome = "\(home)/.local/share"
    pictures = "\(home)/Pictures"
    devices = "\(root)/dev"
    processes = "\(root)/proc"
    system = "\(root)/sys"
    sessionServices = ["\(home)/.local/share/dbus-1/services", "\(root)/usr/share/dbus-1/services"]
    systemServices = ["\(root)/usr/share/dbus-1/system-services"]
    policyFile = "\(root)/etc/permtui/policy.toml"
    fillInFolders()
  }

  /// Sets the folders for calendars, contacts and passes to those that common tools use.
  private mutating func fillInFolders() {
    calendarFolders = ["\(dataHome)/calendars", "\(dataHome)/khal/calendars", "\(home)/.calendars"]
    contactFolders = ["\(dataHome)/contacts", "\(home)/.contacts"]
    passFolder = "\(dataHome)/passes"
  }

  /// The environment of the user who runs this process, according to the XDG base directory specification.
  public static var current: ProbeEnvironment {
    ProbeEnvironment(variable: Environment.variable)
  }

  /// Creates an environment from the XDG variables. The variables are read through a function, so that a test
  /// can provide its own values.
  package init(root: String = "", variable: (String) -> String?) {
    func folder(_ name: String) -> String? { Paths.folder(variable(name)) }
    self.init(root: root, home: folder("HOME") ?? Users.homeFolder ?? "/")
    configHome = folder("XDG_CONFIG_HOME") ?? configHome
    if let given = folder("XDG_DATA_HOME") {
      dataHome = given
      fillInFolders()
    }
    let dataFolders =
      variable("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let shared = dataFolders.split(separator: ":").filter { $0.hasPrefix("/") }.map { root + $0 }
    sessionServices = ([dataHome] + shared).map { "\($0)/dbus-1/services" }
    pictures = namedPictures ?? pictures
  }

  /// The file in which this user configures folders and adds capabilities.
  package var configFile: String { "\(configHome)/permtui/config.toml" }

  /// Returns a path as people write it, with `~` in place of the home folder.
  public func shortened(_ path: String) -> String {
    if path == home { return "~" }
    return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }
}

extension ProbeEnvironment {
  /// The pictures folder that the desktop's `user-dirs.dirs` names; `nil` if it names none.
  private var namedPictures: String? {
    let lines = FileSystem().text(of: "\(configHome)/user-dirs.dirs")?.split(whereSeparator: \.isNewline)
    let prefix = "XDG_PICTURES_DIR=\""
    let value = lines?.last { $0.hasPrefix(prefix) }?.dropFirst(prefix.count).prefix { $0 != "\"" }
    guard let value, !value.isEmpty else { return nil }
    let path = value.hasPrefix("$HOME") ? home + value.dropFirst("$HOME".count) : String(value)
    // If there is no pictures folder, `user-dirs.dirs` names the home folder instead, which does not count.
    return path == home || path == home + "/" ? nil : path
  }
}
