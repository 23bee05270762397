import PermModel

// Alerts of other machines, as a person reads them. Their words are not ours, and could be anything.

extension Alert {
  /// Returns the alert under an id that names the machine.
  func at(machine: String) -> Alert { Alert(id: ID(id.text, machine: machine), content: content) }

  /// Returns the alert with the words of this program where it knows the capability, and with quoted words where it does
  /// not. Its times are those of this machine's clock.
  ///
  /// - Parameter skew: How far the clock there is ahead of this one.
  func read(from machine: ConfiguredMachine, _ skew: Duration) -> Alert {
    let name = machine.name.text
    switch content {
    case .request(let request):
      return Alert(id: id, content: .request(request.read(from: name, skew)))
    case .confirmation(var confirmation):
      confirmation.title = "\(name) asks: \(quoted(confirmation.title))"
      return Alert(id: id, content: .confirmation(confirmation))
    case .notice(var notice):
      notice.title = "\(name) says: \(quoted(notice.title))"
      return Alert(id: id, content: .notice(notice))
    }
  }
}

extension PendingRequest {
  /// Returns the request under an id that names the machine.
  func at(machine: String) -> PendingRequest {
    var there = self
    there.machine = machine
    return there
  }

  func read(from machine: ConfiguredMachine, _ skew: Duration) -> PendingRequest {
    var read = self
    read.content = content.read(from: machine.name.text, skew)
    read.waiting.request = read.content.request
    return read
  }
}

extension RequestAlert {
  fileprivate func read(from machine: String, _ skew: Duration) -> RequestAlert {
    var read = self
    read.request = request.onClock(behindBy: skew)
    read.history.last = history.last.map { $0 + (.zero - skew) }
    if let own = CapabilityCatalogue.builtIn[request.capability]?.definition {
      read = worded(by: own)
    } else {
      read.title = quoted(title)
      read.action = "do what \(machine) calls \(quoted(action))"
    }
    read.explanation = explanation.isEmpty ? "" : "\(machine) says: \(quoted(explanation))"
    return read
  }
}

/// Returns a text in quotation marks, which it cannot end itself. It is escaped where it is shown.
private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "'"))\"" }
