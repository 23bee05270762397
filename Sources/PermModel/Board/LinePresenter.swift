import Machine
import Operations

/// A presenter that writes alerts line by line to a plain terminal. The person answers by typing a line.
///
/// The line that says how to answer is written last, as soon as the alert can be answered. A typed line is not accepted
/// as an answer if it arrives before the alert could have been read, or if other input follows it too soon. If the
/// input ends, the alert is dismissed, and nothing is allowed.
package final class LinePresenter: AlertPresenter {
  private let device: (any LineDevice)?
  /// The line to write when an alert is withdrawn; `nil` to write none.
  private let farewell: String?
  /// The answer that the person only has to confirm; `nil` if the person chooses the answer.
  private let preset: Answer?
  /// The origin that answers are marked with; `nil` to leave the origin to the slot's owner.
  private let origin: Origin?
  private let showing = Lock<Alert.ID?>(nil)
  /// The guard that decides which lines are accepted. It is kept from one alert to the next, because it
  /// enforces a minimum time between two answers.
  private let guarding: Lock<PromptGuard<String>>

  /// Asks on this process's controlling terminal, `/dev/tty`, even if standard input and output are redirected.
  ///
  /// - Parameter origin: The origin that answers are marked with; `nil` to leave the origin to the slot's owner.
  package convenience init(answeringAs origin: Origin? = nil) {
    self.init(LineTerminal(path: "/dev/tty"), times: Self.configuredTimes, origin: origin)
  }

  /// Asks through two file descriptors, which must stay open as long as the presenter exists. Writes nothing when an
  /// alert is withdrawn, because the caller reports the reason.
  package convenience init(takenOffSilently input: Int32, output: Int32) {
    self.init(LineTerminal(input: input, output: output), times: Self.configuredTimes, farewell: nil)
  }

  /// Asks the person, through two file descriptors, to confirm an answer that was given before the request was read.
  package convenience init(input: Int32, output: Int32, confirming preset: Answer) {
    self.init(
      LineTerminal(input: input, output: output), times: Self.configuredTimes, confirming: preset)
  }

  private static var configuredTimes: PromptTimes { UserConfiguration.read(.current).promptTimes }

  init(
    _ device: (any LineDevice)?, times: PromptTimes = PromptTimes(), confirming preset: Answer? = nil,
    origin: Origin? = nil,
    farewell: String? = "This is over: it was answered elsewhere, or the program no longer asks."
  ) {
    self.device = device
    self.preset = preset
    self.origin = origin
    self.farewell = farewell
    guarding = Lock(PromptGuard(times, at: device?.now ?? 0))
  }

  package func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    guard let device else { throw .nobodyThere }
    guard let alert = await turn.alert() else { return .dismissed }
    let other: Alert.ID? = showing.withLock { showing in
      defer { if showing == nil { showing = alert.id } }
      return showing
    }
    if let other { throw .busy(showing: other) }
    defer { showing.withLock { $0 = nil } }
    let plain = PlainAlert(alert, isInDashboard: false, confirming: preset)
    var dialogue = LineDialogue(plain, on: device, guarding.withLock { $0 }, farewell: farewell)
    let response = await dialogue.run()
    let guarded = dialogue.prompt
    guarding.withLock { $0 = guarded }
    guard let response else { throw .nobodyThere }
    guard let origin, case .answered(var answer) = response else { return response }
    answer.origin = origin
    return .answered(answer)
  }
}

extension ModalSlot {
  /// The slot on this process's controlling terminal, for programs that have no better presenter.
  public static let `default` = ModalSlot(presenter: LinePresenter())
}
