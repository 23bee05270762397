extension Capability.Photos: CapabilityWithExample {
  package var example: CapabilityExample? {
    let isLimited = !requirement.parts.contains(.read)
    return CapabilityExample(isLimited ? "Count the pictures of the last 30 days" : "Count the pictures") {
      let oldest = isLimited ? Timestamp.now + .seconds(-30 * 86_400) : nil
      let count = try PictureFolder($0.pictures).count(since: oldest)
      return "\(count.grouped) pictures in \($0.shortened($0.pictures))."
    }
  }
}

extension Capability.Cloud: CapabilityWithExample {
  package var example: CapabilityExample? {
    let container = requirement.container
    return CapabilityExample("Name the cloud accounts") { environment in
      let accounts = CloudAccounts(environment).accounts().filter { container == nil || $0.name == container }
      let names = accounts.map { "\($0.name) (\($0.kind))" }
      return names.isEmpty ? "No account is configured." : "\(names.joinedInWords())."
    }
  }
}

extension Capability.Health: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("List the health data by type") { environment in
      guard let folder = environment.healthFolder else { return "No health folder is set." }
      let names = FileSystem().names(in: folder)
      let words = Capability.Health.DataType.allCases.compactMap { type -> String? in
        let files = names.filter { $0.prefix { $0 != "." } == type.rawValue }
        guard !files.isEmpty else { return nil }
        return "\(type.words) \(files.reduce(0) { $0 + Self.measurements(in: "\(folder)/\($1)") }.grouped)"
      }
      return words.isEmpty ? "No measurements yet." : "Measurements: \(words.joinedInWords())."
    }
  }

  /// Returns the number of lines that contain a digit. A heading contains no digit, so it is not counted.
  private static func measurements(in file: String) -> Int {
    guard !Task.isCancelled, let text = FileSystem().text(of: file, limit: 64 << 20) else { return 0 }
    return text.split(whereSeparator: \.isNewline).count { line in line.contains { $0.isNumber } }
  }
}

extension Capability.Location: CapabilityWithExample {
  package var example: CapabilityExample? {
    let precision = requirement.precision
    return CapabilityExample("Look where the location would come from") { environment in
      let services = BusServices(folders: environment.systemServices)
      let provider = services.provider(of: "org.freedesktop.GeoClue2")
      return "\(provider.map { "GeoClue (\($0))" } ?? "no location service"), \(precision.rawValue)."
    }
  }
}

extension Capability.Passbook: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("Count the passes") { environment in
      let passes = FileSystem().names(in: environment.passFolder).filter { $0.hasSuffix(".pkpass") }
      return passes.count == 1 ? "1 pass." : "\(passes.count.grouped) passes."
    }
  }
}

extension Capability.Contacts: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("Count the contacts") { environment in
      let addressBooks = PersonalCollections.addressBooks(environment)
      let books = addressBooks.folders()
      var cards = 0
      for book in books {
        for text in addressBooks.texts(in: book, limit: 64 << 20) {
          try Task.checkCancellation()
          cards += text.split(whereSeparator: \.isNewline).count { $0.uppercased() == "BEGIN:VCARD" }
        }
      }
      return "\(addressBooks.words(books.count)), \(cards.grouped) cards in files."
    }
  }
}

extension Capability.Camera: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("Name the cameras") { CaptureDevices($0).cameras().words }
  }
}

extension Capability.Microphone: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("Name the microphones") { CaptureDevices($0).microphones().words }
  }
}

extension Capability.Notifications: CapabilityWithExample {
  package var example: CapabilityExample? {
    CapabilityExample("Name what shows notifications") { environment in
      let availability = await Capability.Notifications().availability(in: environment)
      guard case .available(let provider) = availability else { return "No program shows notifications." }
      return "\(provider) shows them."
    }
  }
}

extension [CaptureDevices.Device] {
  /// The devices in a sentence, for example `Integrated Webcam (/dev/video0).`
  fileprivate var words: String {
    let names = map { "\($0.name) (\($0.path)\($0.isAccessible ? "" : ", no right to open it"))" }
    return names.isEmpty ? "None is there." : "\(names.joinedInWords())."
  }
}
