import Machine

// The small jobs that demonstrate capabilities whose parts take values.

/// The maximum time for a connection or a program, in milliseconds.
private let patience: Int32 = 5000

extension Capability.Files {
  static func example(_ atom: Atom) -> CapabilityExample? {
    let path: AbsolutePath? =
      switch atom.scope {
      case .path(let path), .folder(let path): path
      default: nil
      }
    guard let path, let text = String(validating: path.bytes, as: UTF8.self) else { return nil }
    return CapabilityExample("Measure the size of \(atom.scope.text)") { environment in
      var (files, bytes) = (0, Int64(0))
      let isComplete = FileSystem().visitFiles(below: text) { file in
        files += 1
        bytes += FileStatus(file, followingLinks: false)?.size ?? 0
        return !Task.isCancelled && files < 1_000_000
      }
      return "\(files.grouped) files, \(Int(bytes).grouped) bytes\(isComplete ? "" : " and more")."
    }
  }
}

extension Capability.System {
  static func example(_ atom: Atom) -> CapabilityExample? {
    CapabilityExample("Look up the name of this machine") { _ in
      Machine.Files.text(of: "/proc/sys/kernel/hostname").map { "\($0.trimmed)." } ?? "It has no name."
    }
  }
}

extension Capability.Environment {
  static func example(_ atom: Atom) -> CapabilityExample? {
    guard case .name(let name) = atom.scope else { return nil }
    return CapabilityExample("Measure the length of \(atom.scope.text)") { _ in
      Machine.Environment.variables[name].map { "\($0.utf8.count.grouped) bytes." } ?? "\(name) is not set."
    }
  }
}

extension Capability.Network {
  static func example(_ atom: Atom) -> CapabilityExample? {
    guard atom.name == "connect", case .host(let host, let port?) = atom.scope else { return nil }
    return CapabilityExample("Connect to \(atom.scope.text)") { _ in
      switch await Connection.attempt(to: host.name, port: port, within: patience) {
      case .connected: "\(atom.scope.text) accepts connections."
      case .failed(let reason): "No connection: \(reason)."
      case .tooSlow: "No connection within \(patience / 1000) seconds."
      }
    }
  }
}

extension Capability.Commands {
  static func example(_ atom: Atom) -> CapabilityExample? {
    CapabilityExample("Run the command true") { _ in
      let ending = await Program.run(["true"], within: patience)
      return ending.map { "It ended with status \($0.status)." } ?? "It could not be run."
    }
  }
}

extension Capability.Keys {
  static func example(_ atom: Atom) -> CapabilityExample? {
    guard case .name(let key) = atom.scope else { return nil }
    return CapabilityExample("Look whether the agent of ssh has \(atom.scope.text)") { _ in
      guard let ending = await Program.run(["ssh-add", "-l"], within: patience) else {
        return "ssh-add could not be run."
      }
      if ending.status == 2 { return "No agent of ssh runs." }
      let keys = ending.output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
      return keys.contains { $0.dropFirst().first.map(String.init) == key }
        ? "It has the key." : "It does not."
    }
  }
}
