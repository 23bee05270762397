import PermModel

/// The ids that machines had when the person added or trusted them, by the person's names.
package struct MachinePins: Hashable, Sendable {
  package struct Pin: Hashable, Sendable {
    package var id: String
    package var since: Timestamp

    package init(id: String, since: Timestamp) {
      (self.id, self.since) = (id, since)
    }
  }

  private var pins: [RemoteName: Pin] = [:]

  package init() {}

  package subscript(name: RemoteName) -> Pin? { pins[name] }

  /// Returns the name under which an id is known.
  package func name(of id: String) -> RemoteName? { pins.first { $0.value.id == id }?.key }

  /// Pins an id to a name, in place of an earlier one.
  ///
  /// - Throws: ``MachineFault/sameAs(_:)`` if the id is known under another name.
  package mutating func pin(_ pin: Pin, to name: RemoteName) throws(MachineFault) {
    if let other = self.name(of: pin.id), other != name { throw .sameAs(other.text) }
    pins[name] = pin
  }

  /// Removes a name. Returns whether it was there.
  package mutating func forget(_ name: RemoteName) -> Bool { pins.removeValue(forKey: name) != nil }
}

extension MachinePins {
  /// A line that is not one of ours.
  package struct Damaged: Error, Hashable, Sendable {
    package var line: Int
  }

  /// Reads a file that has a name, an id and a moment in each line. A line that cannot be read is an error, because a
  /// machine must not seem to be a new one.
  package init(_ text: String) throws(Damaged) {
    for (number, line) in text.split(separator: "\n").enumerated() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, let name = try? RemoteName(words[0]), MachineHello.isID(String(words[1])),
        let since = Int64(words[2]), pins[name] == nil
      else { throw Damaged(line: number + 1) }
      do throws(MachineFault) {
        try pin(Pin(id: String(words[1]), since: Timestamp(microseconds: since)), to: name)
      } catch {
        throw Damaged(line: number + 1)
      }
    }
  }

  package var text: String {
    pins.sorted { $0.key.text < $1.key.text }
      .map { "\($0.key.text) \($0.value.id) \($0.value.since.microseconds)\n" }.joined()
  }
}
