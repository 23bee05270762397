import Machine
package import PermModel

/// The settings of a broker that can change while it runs.
package struct BrokerSettings: Sendable {
  /// The capabilities that programs can ask for.
  package var catalogue: CapabilityCatalogue
  /// The places where the probes of these capabilities look.
  package var probes: ProbeEnvironment
  /// The restrictions that the machine's owner has set.
  package var policy: MachinePolicy
  /// The command that tells the person that something waits; `nil` if there is none.
  package var notification: NotificationSettings?

  package init(
    catalogue: CapabilityCatalogue = .builtIn, probes: ProbeEnvironment = .current,
    policy: MachinePolicy = .none,
    notification: NotificationSettings? = nil
  ) {
    self.catalogue = catalogue
    self.probes = probes
    self.policy = policy
    self.notification = notification
  }
}

extension Broker {
  /// The settings that count now.
  package var settings: BrokerSettings { current.withLock { $0 } }

  /// A stream of signals that the settings have changed. Its first element arrives immediately.
  package var settingsChanges: AsyncStream<Void> { settingsSignal.changes() }

  /// Replaces the settings. If they change the text of the alert on the screen, the screens show the new text, and the
  /// person has to wait again before an answer counts.
  package func use(_ settings: BrokerSettings) {
    current.withLock { $0 = settings }
    answerer.use(settings.probes, settings.policy) {
      settings.catalogue[$0.capability]?.capability(asking: $0.atoms)
    }
    notifier.use(settings.notification, settings.catalogue)
    settingsSignal.send()
  }
}
