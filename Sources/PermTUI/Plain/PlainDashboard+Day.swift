import PermModel

// The requests of the day, line by line.

extension PlainDashboard {
  /// Reads the requests of today, which are printed when they are there.
  mutating func readDay() {
    awaitsDay = true
    apply([.read(.everything(of: desk.today))])
  }

  /// Prints the requests of the day if they were asked for and are there. Afterwards the day is read no more.
  mutating func sayDay() {
    guard awaitsDay, let day = desk.data.day, day.number == desk.today else { return }
    awaitsDay = false
    news += listing.lines(of: day)
    apply([.read(.everything)])
  }
}

extension PlainListing {
  /// Returns the numbers of each program, and then a line for each of its requests.
  func lines(of day: DayPage) -> [String] {
    guard !day.programs.isEmpty else { return ["No program asked today."] }
    return day.programs.flatMap { program in
      let name = program.subject.map(desk.name(of:)) ?? "other programs"
      return ["\(name): \(program.total.words)"] + day.rows(of: program.subject).map(line)
    }
  }

  private func line(_ request: Day.Row) -> String {
    let author = desk.visible(request.author(desk.valueWords, desk.time))
    let facts = [request.outcome, author, request.used].filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(desk.time(request.at)): \(desk.visible(request.what(desk.valueWords))): \(facts)"
  }
}
