/// The events and reminders in an `.ics` file.
struct CalendarFile {
  private(set) var items: [CalendarItem] = []

  init(_ text: String) {
    var current: CalendarItem?
    // The nesting depth inside the current item. Nested lines are skipped. For example, an alarm inside an event has
    // properties with the same names as the event.
    var nested = 0
    for line in Self.unfolded(text) {
      let property = Property(line)
      switch (property.name, property.value.uppercased()) {
      case ("BEGIN", "VEVENT") where current == nil: current = CalendarItem(kind: .event, title: "")
      case ("BEGIN", "VTODO") where current == nil: current = CalendarItem(kind: .reminder, title: "")
      case ("BEGIN", _) where current != nil: nested += 1
      case ("END", "VEVENT"), ("END", "VTODO"):
        current.map { items.append($0) }
        current = nil
        nested = 0
      case ("END", _) where nested > 0: nested -= 1
      default: if nested == 0 { current?.take(property) }
      }
    }
  }

  /// Returns the lines of a file. A line that begins with a space or tab is appended to the line before it.
  private static func unfolded(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    return lines
  }

  /// A line of the form `NAME;PARAMETER=X:VALUE`.
  fileprivate struct Property {
    var name: String
    var parameters: [String: String] = [:]
    var value: String

    init(_ line: String) {
      var isQuoted = false
      let colon = line.firstIndex { character in
        if character == "\"" { isQuoted.toggle() }
        return character == ":" && !isQuoted
      }
      let head = line[..<(colon ?? line.endIndex)].split(separator: ";")
      value = colon.map { String(line[line.index(after: $0)...]) } ?? ""
      name = head.first?.uppercased() ?? ""
      for parameter in head.dropFirst() {
        let pair = parameter.split(separator: "=", maxSplits: 1)
        if pair.count == 2 { parameters[pair[0].uppercased()] = pair[1].filter { $0 != "\"" } }
      }
    }

    var moment: CalendarMoment? { CalendarMoment(value, zone: parameters["TZID"]) }

    /// The value with `\,`, `\;` and `\\` unescaped, and with `\n` replaced by a space.
    var text: String {
      var result = ""
      var isEscaped = false
      for character in value {
        if !isEscaped, character == "\\" {
          isEscaped = true
          continue
        }
        result.append(isEscaped && character.lowercased() == "n" ? " " : character)
        isEscaped = false
      }
      return result
    }
  }
}

extension CalendarItem {
  fileprivate mutating func take(_ property: CalendarFile.Property) {
    switch property.name {
    case "SUMMARY": title = property.text
    case "DTSTART": start = start ?? property.moment
    // The due date of a reminder replaces its start.
    case "DUE": start = property.moment ?? start
    case "RRULE": recurrence = Recurrence(property.value)
    case "EXDATE":
      exceptions += property.value.split(separator: ",").compactMap {
        CalendarMoment($0, zone: property.parameters["TZID"])
      }
    case "STATUS": isOver = isOver || ["COMPLETED", "CANCELLED"].contains(property.value.uppercased())
    case "COMPLETED": isOver = true
    default: break
    }
  }
}

/// An event or a reminder in a calendar file.
struct CalendarItem: Hashable, Sendable {
  enum Kind: Sendable { case event, reminder }

  var kind: Kind
  var title: String
  /// The time at which an event begins or a reminder is due; `nil` if the file does not say.
  var start: CalendarMoment?
  var recurrence: Recurrence?
  /// The times of the occurrences that are left out of a repeating item.
  var exceptions: [CalendarMoment] = []
  /// Whether the item is completed or cancelled.
  var isOver: Bool = false

  /// Returns the first occurrence at or after a given time; `nil` if there is none.
  func next(from now: Timestamp) -> CalendarMoment? {
    guard !isOver, let start else { return nil }
    guard let recurrence else { return start.timestamp >= now ? start : nil }
    let left = Set(exceptions.map(\.timestamp))
    return recurrence.moments(from: start).first { $0.timestamp >= now && !left.contains($0.timestamp) }
  }
}
