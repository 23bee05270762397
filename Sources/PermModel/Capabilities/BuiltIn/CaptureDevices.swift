import Machine

/// The cameras and microphones that the kernel lists.
struct CaptureDevices {
  struct Device: Hashable, Sendable {
    var path: String
    /// The kernel's name for the device, for example `Integrated Webcam`, or the device's path if it has no name.
    var name: String
    var isAccessible: Bool
  }

  private let environment: ProbeEnvironment
  private let fileSystem = FileSystem()

  init(_ environment: ProbeEnvironment) { self.environment = environment }

  /// Returns the devices named `videoN`, sorted by name.
  func cameras() -> [Device] {
    fileSystem.names(in: environment.devices).filter { $0.isNumbered(after: "video") }.map { file in
      let described = "\(environment.system)/class/video4linux/\(file)/name"
      return device("\(environment.devices)/\(file)", describedBy: fileSystem.text(of: described))
    }
  }

  /// Returns the sound devices that can record. Their names look like `pcmC0D0c`, where the final `c` stands
  /// for capture.
  func microphones() -> [Device] {
    let folder = "\(environment.devices)/snd"
    return fileSystem.names(in: folder).filter { $0.hasPrefix("pcmC") && $0.hasSuffix("c") }.map { file in
      let card = file.dropFirst("pcmC".count).prefix { $0.isNumber }
      let described = "\(environment.processes)/asound/card\(card)/id"
      return device("\(folder)/\(file)", describedBy: fileSystem.text(of: described))
    }
  }

  private func device(_ path: String, describedBy text: String?) -> Device {
    let name = text.map { String($0.trimmed) } ?? ""
    return Device(path: path, name: name.isEmpty ? path : name, isAccessible: Files.allows(path, .read))
  }
}

extension [CaptureDevices.Device] {
  /// Returns the availability of this kind of device: available if the list is not empty. If the user is not allowed to
  /// open any of the devices, the description says so.
  func availability(of kind: String, remedy: String) -> Availability {
    guard !isEmpty else { return .missing("no \(kind) is there", remedy: remedy) }
    var names: [String] = []
    for device in self where !names.contains(device.name) { names.append(device.name) }
    let found = names.joinedInWords()
    return .available(
      found: contains(where: \.isAccessible) ? found : "\(found), which your user has no right to open")
  }
}

extension String {
  /// Whether the string consists of the prefix followed by one or more digits and nothing else.
  func isNumbered(after prefix: String) -> Bool {
    let rest = dropFirst(prefix.count)
    return hasPrefix(prefix) && !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
