import Machine
import PermModel

/// The requests of a day, as the view of the day lists them.
struct DayPage: Sendable {
  let number: DayNumber
  /// Whether all requests are there. Those of a long day come in parts.
  let isWhole: Bool
  /// The programs, the one with the most requests first.
  let programs: [Day.Program]
  private let rows: [Day.Row]
  private let places: [JournalEntry.ID: Int]
  private let placesOfPrograms: [Subject?: [Int]]

  /// - Parameter hour: Returns the hour of a time in the local time zone, from 0 to 23.
  init(_ day: Day, of number: DayNumber, isWhole: Bool = true, hour: (Timestamp) -> Int) {
    (self.number, self.isWhole) = (number, isWhole)
    rows = day.rows
    programs = day.programs(hour: hour)
    places = Dictionary(zip(rows.map(\.id), rows.indices)) { first, _ in first }
    placesOfPrograms = Dictionary(grouping: rows.indices) { [rows = day.rows] in rows[$0].subject }
  }

  subscript(id: JournalEntry.ID) -> Day.Row? { places[id].map { rows[$0] } }

  /// Returns a program's requests, the first one first.
  func rows(of program: Subject?) -> [Day.Row] { (placesOfPrograms[program] ?? []).map { rows[$0] } }
}
