package import PermModel

/// Another machine at a dashboard.
package struct ShownMachine: Hashable, Sendable {
  /// How it stands with the connection to a machine.
  package enum Standing: Hashable, Sendable {
    case connecting
    case answering(MachineHello)
    /// No answer is possible there, for this reason.
    case out(MachineFault)

    package var hello: MachineHello? {
      if case .answering(let hello) = self { hello } else { nil }
    }
  }

  package var machine: ConfiguredMachine
  /// The id by which the machine's alerts are known; `nil` if it has none here.
  package var id: String?
  package var standing: Standing
  /// The number of alerts that are held back, because the machine shows too many.
  package var heldCount: Int
  /// The requests that wait there.
  package var waiting: WaitingList

  package init(
    machine: ConfiguredMachine, id: String?, standing: Standing, heldCount: Int = 0,
    waiting: WaitingList = WaitingList()
  ) {
    (self.machine, self.id, self.standing) = (machine, id, standing)
    (self.heldCount, self.waiting) = (heldCount, waiting)
  }

  /// The number of requests that wait there beyond the listed ones.
  package var unlistedCount: Int { waiting.total - waiting.requests.count }

  /// The reason why nothing can be answered there, as the end of a sentence that begins with the machine's name; `nil` if
  /// answers are possible.
  package var obstacle: String? {
    switch standing {
    case .connecting: "is being connected"
    case .answering(let hello): hello.passes == .watch ? "lets you look, and not answer" : nil
    case .out(let fault): "\(fault)"
    }
  }

  /// The name, and the class if there is one: `web1 · prod`.
  package var words: String {
    ([machine.name.text] + [machine.kind].compactMap(\.self)).joined(separator: " · ")
  }
}
