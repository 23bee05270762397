import PermModel

// The code of the page for those who know the Operations framework, word for word.

// begin example
struct ReminderOperation: Operation {
  var conditions: [any OperationCondition] { [AuthorizedFor(Capability.Calendar(.reminders))] }

  func execute(_ context: OperationContext) async throws -> String { "buy milk" }
}
// end example

/// Uses capabilities as the page does.
func useCapabilities(_ queue: OperationQueue, _ authorizer: Authorizer) async throws -> [String] {
  // begin example
  let reminder = queue.add(ReminderOperation())
  // end example
  // begin example
  let status = queue.add(
    GetAuthorizationStatus(Capability.Calendar(.reminders)) { available, status in
      if available { print("Reminders: \(status)") }
    })
  // end example
  // begin example
  let asked = queue.add(
    Authorize(Capability.Calendar(.reminders)) { available, status in
      if status.meets(.reminders) { print("Thank you.") }
    })
  // end example
  // begin example
  let calendar = AuthorizedFor(Capability.Calendar(.reminders))
  let quiet = queue.add(ReminderOperation(), conditions: [SilentCondition(calendar)])
  let without = queue.add("without", conditions: [NegatedCondition(SilentCondition(calendar))]) { _ in }
  // end example
  return [
    try await reminder.value, "\(try await status.value.isAvailable)", "\(try await asked.value.isAllowed)",
    "\(await quiet.outcome)", "\(await without.outcome)",
  ]
}

// begin example
struct Door: CapabilityType {
  let definition = CapabilityDefinition(
    name: "door", title: "Door", summary: "The door of this house.", action: "open the door")
  var requirement: AtomRequirement { AtomRequirement(atoms: [Atom("door")]) }
}
// end example

/// Shows alerts as the page does.
func showAlerts(_ queue: OperationQueue, in slot: ModalSlot) async throws -> [String] {
  // begin example
  let notice = queue.add(AlertOperation(title: "Copied", message: "1 204 pictures", in: slot))
  let deletion = queue.add(
    "delete", conditions: [UserConfirmationCondition("Delete 12 albums?", in: slot)], after: [notice]
  ) { _ in "deleted" }
  // end example
  // begin example
  let page = queue.add("next page", conditions: [MutuallyExclusive(ModalSlot.category)]) { _ in "shown" }
  // end example
  return [try await deletion.value, try await page.value]
}

// begin example
final class PhotoManager: AuthorizedService {
  static let capability = Capability.Photos(.read)

  init(_ token: AuthorizationToken) {}
}
// end example

/// Uses what is authorized as the page does.
func useAuthorized(_ authorizer: Authorizer) async throws -> [String] {
  var said: [String] = []
  func show(_ text: String) { said.append(text) }
  // begin example
  let instances = AuthorizedInstances(authorizer)
  switch try await instances.instance(of: PhotoManager.self, whenAnswered: { print($0 != nil) }) {
  case .granted: show("granted")
  case .denied: show("denied")
  case .waiting: show("waiting for authorization")
  }
  // end example
  // begin example
  let authorized = authorizer.authorized(for: Capability.Photos())
  await authorized.whenGranted { show("granted") }
  await authorized.whenDenied { show("denied") }
  // end example
  return said
}
