import Machine

/// A reader of the kernel's files that describe the network.
struct NetworkFiles: Sendable {
  let root: String

  func state() throws(ReachabilityError) -> NetworkState {
    NetworkState(interfaces: try interfaces(), defaultRoutes: try routes())
  }

  // MARK: Routes

  private func routes() throws(ReachabilityError) -> [NetworkRoute] {
    let lines = try lines(of: "/proc/net/route")
    // A kernel without IPv6 does not have this file.
    let lines6 = (try? self.lines(of: "/proc/net/ipv6_route")) ?? []
    return lines.compactMap(Self.route) + lines6.compactMap(Self.route6)
  }

  /// Parses a line of `/proc/net/route`. Returns `nil` unless the line is a usable default route. The fields are the
  /// interface, the destination, the gateway, the flags, three counts and the mask. Addresses and flags are
  /// hexadecimal.
  private static func route(_ line: Substring) -> NetworkRoute? {
    let fields = line.split { $0 == " " || $0 == "\t" }
    guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000" else { return nil }
    guard isUsable(fields[3]) else { return nil }
    return NetworkRoute(interface: String(fields[0]), family: .ipv4)
  }

  /// Parses a line of `/proc/net/ipv6_route`. Returns `nil` unless the line is a usable default route. The
  /// fields are the destination, the length of its prefix, the source, the length of its prefix, the gateway,
  /// three counts, the flags and the interface.
  private static func route6(_ line: Substring) -> NetworkRoute? {
    let fields = line.split { $0 == " " || $0 == "\t" }
    guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00" else { return nil }
    guard isUsable(fields[8]) else { return nil }
    return NetworkRoute(interface: String(fields[9]), family: .ipv6)
  }

  /// Returns whether a route's flags say that the route is up and does not reject packets.
  private static func isUsable(_ flags: Substring) -> Bool {
    let (up, reject) = (UInt32(0x1), UInt32(0x200))
    guard let flags = UInt32(flags, radix: 16) else { return false }
    return flags & up != 0 && flags & reject == 0
  }

  // MARK: Interfaces

  private func interfaces() throws(ReachabilityError) -> [NetworkInterface] {
    let folder = root + "/sys/class/net"
    var names: [String] = []
    do {
      try Folder.visit(folder) { name, _ in
        if !name.hasPrefix("."), Files.exists("\(folder)/\(name)/operstate") { names.append(name) }
        return true
      }
    } catch {
      throw .unreadable(folder, reason: error.reason)
    }
    return names.sorted().map { interface($0, in: "/sys/class/net/\($0)") }
  }

  private func interface(_ name: String, in folder: String) -> NetworkInterface {
    let state = word(of: "\(folder)/operstate")
    let isOn = (word(of: "\(folder)/flags").flatMap { UInt32($0.dropFirst(2), radix: 16) } ?? 0) & 0x1 != 0
    // Working tunnels and loopback interfaces report the state "unknown", because they have no physical link.
    let isUp = isOn && (state == "up" || state == "unknown")
    return NetworkInterface(name: name, kind: kind(name, in: folder), isUp: isUp)
  }

  private func kind(_ name: String, in folder: String) -> NetworkInterface.Kind {
    let (ethernet, loopback) = ("1", "772")
    let events = (try? lines(of: "\(folder)/uevent")) ?? []
    let deviceType = events.first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
    let hardware = word(of: "\(folder)/type")
    if hardware == loopback { return .loopback }
    if deviceType == "wlan" || Files.exists("\(root)\(folder)/phy80211")
      || Files.exists("\(root)\(folder)/wireless")
    {
      return .wireless
    }
    if deviceType == "wwan" { return .mobile }
    return hardware == ethernet && deviceType == nil ? .wired : .virtual
  }

  // MARK: Files

  private func word(of path: String) -> String? {
    (try? lines(of: path))?.first.map(String.init)
  }

  private func lines(of path: String) throws(ReachabilityError) -> [Substring] {
    let path = root + path
    do {
      return String(decoding: try Files.bytes(of: path), as: UTF8.self).split(separator: "\n")
    } catch {
      throw .unreadable(path, reason: error.reason)
    }
  }
}
