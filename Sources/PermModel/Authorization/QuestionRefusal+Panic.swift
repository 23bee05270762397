import Machine
import Operations

extension QuestionRefusal {
  /// Returns the condition that a panic is on in a store.
  package static func panic(in store: any PermissionStore) -> QuestionRefusal {
    QuestionRefusal {
      ((try? store.suspension()) ?? nil) != nil
    } changes: {
      // The subscription begins before the first look, so that no panic between the two is missed.
      let changes = try? store.changes()
      return .filled { send in
        send(())
        do {
          if let changes { for try await _ in changes { send(()) } }
        } catch {}
      }
    }
  }
}
