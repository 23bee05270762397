import PermModel
import PermModelTesting

/// A program that copies a folder.
struct Backup {
  let authorizer: Authorizer
  let slot: ModalSlot

  /// Copies a folder, after a yes to reading it, and after a confirmation.
  func copy(_ folder: String) async throws -> String {
    let files = try Capability.Files(.read, folder)
    let conditions: [any OperationCondition] = [
      AuthorizedFor(files, authorizer: authorizer, reason: "weekly copy"),
      UserConfirmationCondition("Copy \(folder)?", action: "Copy", isDestructive: false, in: slot),
    ]
    return try await OperationQueue(name: "backup").add("copy", conditions: conditions) { _ in "copied" }
      .value
  }

  /// Follows the permission to read a folder until it is there.
  func untilAllowed(_ folder: String) async throws {
    for await found in authorizer.statusUpdates(of: try Capability.Files(.read, folder)) where found.isAllowed
    {
      return
    }
  }
}

/// A service that exists only while files may be read.
final class Copier: AuthorizedService {
  static let capability = Capability.Files(.read, in: [.any])

  init(_ token: AuthorizationToken) {}
}

/// The test of the program: a person who allows and confirms everything.
func backupWorks(on folder: String) async throws -> Bool {
  let presenter = ScriptedPresenter { alert in
    switch alert.content {
    case .request(let request):
      .answered(Answer(.allow, atoms: request.choices[0].atoms, lifetime: .forever))
    case .confirmation: .confirmed
    case .notice: .acknowledged
    }
  }
  let (slot, store, subject) = (ModalSlot(presenter: presenter), MemoryStore(), Subject(label: "backup"))
  let backup = Backup(authorizer: Authorizer(subject: subject, store: store, slot: slot), slot: slot)
  async let allowed: Void = backup.untilAllowed(folder)
  guard try await backup.copy(folder) == "copied" else { return false }
  try await allowed
  let instances = AuthorizedInstances(backup.authorizer)
  let (copiers, arrived) = AsyncStream.makeStream(of: Copier?.self)
  _ = try await instances.instance(of: Copier.self) { arrived.yield($0) }
  for await copier in copiers { return try copier != nil && store.decisions(of: subject).count == 2 }
  return false
}
