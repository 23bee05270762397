import PermModel

/// Something about a machine that the person should know once.
package struct MachineNews: Hashable, Sendable {
  package var text: String
  package var isError: Bool
}

/// The reason why it is not known whether an answer counts: the connection ended before the machine had acknowledged it.
package struct AnswerUnknown: Error, Hashable, Sendable, CustomStringConvertible {
  package var machine: RemoteName

  package var description: String {
    "The connection to \(machine.text) ended. Whether your answer counts is told when it is back."
  }
}

/// The reason why an answer was not sent to another machine.
package struct AnswerNotSent: Error, Hashable, Sendable, CustomStringConvertible {
  package var machine: RemoteName
  package var reason: MachineFault

  package var description: String { "\(machine.text) \(reason)." }
}
