extension Capability.Photos: ExemplaryCapability {
  package var example: CapabilityExample? {
    let isLimited = !requirement.parts.contains(.read)
    return CapabilityExample(isLimited ? "Count the pictures of the last 30 days" : "Count the pictures") {
      let library = PhotoLibrary($0.pictures, isLimited: isLimited)
      let folder = $0.shortened($0.pictures)
      return "\(try library.count().grouped) pictures in \(folder)."
    }
  }
}

extension Capability.Cloud: ExemplaryCapability {
  package var example: CapabilityExample? {
    let container = requirement.container
    return CapabilityExample("Name the cloud accounts") { environment in
      let accounts = CloudAccounts(environment).accounts().filter { container == nil || $0.name == container }
      let names = accounts.map { "\($0.name) (\($0.kind))" }
      return names.isEmpty ? "No account is configured." : "\(names.joinedInWords())."
    }
  }
}

extension Capability.Health: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("List the health data by type") { environment in
      guard let folder = environment.healthFolder else { return "No health folder is set." }
      let found = HealthFolder(folder).measurements()
      let words = found.map { "\($0.type.words) \($0.count.grouped)" }
      return words.isEmpty ? "No measurements yet." : "Measurements: \(words.joinedInWords())."
    }
  }
}

extension Capability.Location: ExemplaryCapability {
  package var example: CapabilityExample? {
    let precision = requirement.precision
    return CapabilityExample("Look where the location would come from") { environment in
      let manager = LocationManager(environment, precision: precision)
      return "\(manager.sources().joinedInWords()), \(precision.rawValue)."
    }
  }
}

extension Capability.Passbook: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("Count the passes") { environment in
      let passes = FileSystem().names(in: environment.passFolder).filter { $0.hasSuffix(".pkpass") }
      return passes.count == 1 ? "1 pass." : "\(passes.count.grouped) passes."
    }
  }
}

extension Capability.Contacts: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("Count the contacts") { environment in
      let folders = AddressBooks(environment)
      let books = folders.books()
      let cards = books.reduce(0) { $0 + folders.cards(in: $1) }
      try Task.checkCancellation()
      let bookWords = books.count == 1 ? "1 address book" : "\(books.count) address books"
      return "\(bookWords), \(cards.grouped) cards in files."
    }
  }
}

extension Capability.Camera: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("Name the cameras") { CaptureDevices($0).cameras().words }
  }
}

extension Capability.Microphone: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("Name the microphones") { CaptureDevices($0).microphones().words }
  }
}

extension Capability.Notifications: ExemplaryCapability {
  package var example: CapabilityExample? {
    CapabilityExample("Name what shows notifications") { environment in
      let availability = await Capability.Notifications().availability(in: environment)
      guard case .available(let provider) = availability else { return "Nothing shows notifications." }
      return "\(provider) shows them."
    }
  }
}

extension [CaptureDevices.Device] {
  /// For example `Integrated Webcam (/dev/video0).`
  fileprivate var words: String {
    let names = map { "\($0.name) (\($0.path)\($0.isAccessible ? "" : ", no right to open it"))" }
    return names.isEmpty ? "None is there." : "\(names.joinedInWords())."
  }
}
