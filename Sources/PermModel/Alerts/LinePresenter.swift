import Glibc
import Operations

/// Shows alerts on a plain terminal, line by line; a typed word answers.
///
/// The line that says how to answer comes last, when a line begins to count. What was typed before an alert could be read,
/// and lines that come together, answer nothing. The end of input allows nothing.
public final class LinePresenter: AlertPresenter {
  private let device: (any LineDevice)?
  private let showing = Lock<Alert.ID?>(nil)
  /// Outlives each alert, since an answer must not be followed too soon by the next.
  private let guarding: Lock<PromptGuard<String>>

  /// Asks on this process's own terminal, `/dev/tty`, whatever standard input and output are.
  public convenience init() {
    self.init(
      LineTerminal(path: "/dev/tty"), times: UserConfiguration.read(.current).promptTimes)
  }

  /// Asks on two descriptors that stay open as long as the presenter lives.
  public convenience init(input: Int32, output: Int32) {
    self.init(LineTerminal(input: input, output: output))
  }

  init(_ device: (any LineDevice)?, times: PromptTimes = PromptTimes()) {
    self.device = device
    guarding = Lock(PromptGuard(times, at: device?.now ?? 0))
  }

  public func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    guard let device else { throw .nobodyThere }
    let other: Alert.ID? = showing.withLock { showing in
      defer { if showing == nil { showing = alert.id } }
      return showing
    }
    if let other { throw .busy(showing: other) }
    defer { showing.withLock { $0 = nil } }
    var dialogue = LineDialogue(alert, on: device, guarding.withLock { $0 })
    let response = await dialogue.run()
    let guarded = dialogue.prompt
    guarding.withLock { $0 = guarded }
    return response
  }

  /// Returns at once: nothing can be set aside here, where there is no list to take it up from.
  public func waitUntilReopened(_ id: Alert.ID) async throws { try Task.checkCancellation() }
}

extension ModalSlot {
  /// The slot on this process's own terminal, for programs that have no better presenter.
  public static let `default` = ModalSlot(presenter: LinePresenter())
}
