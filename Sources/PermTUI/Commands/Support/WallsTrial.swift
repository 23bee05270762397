import Machine

/// A trial of the walls of `permtui run`: they are built for a moment, around a program that does nothing.
enum WallsTrial {
  /// The reason why there are no walls on this machine, and what helps.
  struct Objection: Hashable {
    var what: String
    var advice: String?
  }

  /// The longest time for the trial, in milliseconds.
  private static let longest: Int32 = 10_000

  /// Returns the reason why programs cannot be started behind walls; `nil` if they can.
  ///
  /// - Parameter program: The path of `permtui`, beside which the program is that builds the walls.
  static func objection(besides program: String?) -> Objection? {
    guard let warden = try? RunCommand.warden(besides: program) else {
      return Objection(
        what: "permtui run has no walls: permtui-run is not installed beside permtui",
        advice: "It is in the package permtui-run.")
    }
    let trial = AsyncBridge.wait { await Program.run([warden, "--try"], within: longest) }
    guard let trial else {
      return Objection(
        what: "the walls of permtui run could not be tried", advice: "Try it: permtui run -- true")
    }
    guard trial.status != 0 else { return nil }
    let lines = trial.output.replacing("permtui-run: ", with: "").split(separator: "\n").map(String.init)
    return Objection(
      what: "permtui run \(lines.first ?? "cannot build its walls")", advice: lines.dropFirst().first)
  }
}

extension WallsTrial.Objection {
  /// The objection as one sentence.
  var sentence: String {
    "Not on this machine yet: \(what.hasSuffix(".") ? String(what.dropLast()) : what) ('permtui doctor' says what helps)."
  }
}
