/// The desktop's permission store, a service on the bus that starts on demand.
struct DesktopStore {
  private static let name = "org.freedesktop.impl.portal.PermissionStore"
  private static let path = "/org/freedesktop/impl/portal/PermissionStore"

  let bus: Bus

  typealias Reply<Value> = (Result<Value, BusError>) -> Void

  /// A change that the service has signalled: all apps of a thing, as they are now.
  struct Change {
    var table: String
    var id: String
    fileprivate let message: BusMessage

    /// Reads the apps, with what each may do. A thing that was removed has none.
    func apps() throws(BusError) -> [String: [String]] {
      let isGone = try message.flag()
      try message.skip("v")
      let apps = try DesktopStore.apps(message)
      return isGone ? [:] : apps
    }
  }

  /// Calls a closure for each change, whoever made it.
  ///
  /// The bus passes on what is meant for everybody only from the owner of the service's name. Any peer can send a signal to
  /// this connection alone, which is passed over.
  func watch(_ changed: @escaping (Change) -> Void) throws(BusError) {
    let rule =
      "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.name)',member='Changed'"
    try bus.watch(rule) { message in
      guard message.isForEverybody, message.signature == "ssbva{sas}", let table = try? message.text(),
        let id = try? message.text()
      else { return }
      changed(Change(table: table, id: id, message: message))
    }
  }

  /// Looks a row up. The value of one that is not there is `nil`.
  func permissions(of row: PermissionRow, _ reply: @escaping Reply<[String]?>) {
    call("GetPermission", [row.table, row.id, row.app], reply) { message throws(BusError) in
      try message.check("as")
      let permissions = try message.texts()
      return permissions.isEmpty ? nil : permissions
    } missing: {
      nil
    }
  }

  /// Looks up all apps of a thing, with what each may do.
  func apps(in table: String, _ id: String, _ reply: @escaping Reply<[String: [String]]>) {
    call("Lookup", [table, id], reply) { message throws(BusError) in
      try message.check("a{sas}v")
      return try Self.apps(message)
    } missing: {
      [:]
    }
  }

  private static func apps(_ message: BusMessage) throws(BusError) -> [String: [String]] {
    let apps = try message.array("{sas}") { () throws(BusError) in
      try message.inside(.entry, "sas") { () throws(BusError) in (try message.text(), try message.texts()) }
    }
    return Dictionary(apps) { first, _ in first }
  }

  /// Lists the things of a table.
  func ids(in table: String, _ reply: @escaping Reply<[String]>) {
    call("List", [table], reply) { message throws(BusError) in
      try message.check("as")
      return try message.texts()
    } missing: {
      []
    }
  }

  func set(_ row: PermissionRow, to permissions: [String], _ reply: @escaping Reply<Void>) {
    call("SetPermission", reply) { message throws(BusError) in
      try message.add(row.table)
      try message.add(true)
      for text in [row.id, row.app] { try message.add(text) }
      try message.add(permissions)
    }
  }

  /// Removes a row. It does not matter whether it is there.
  func delete(_ row: PermissionRow, _ reply: @escaping Reply<Void>) {
    call("DeletePermission", [row.table, row.id, row.app], reply) { _ in
    } missing: {
    }
  }
}

// MARK: - Calling

extension DesktopStore {
  private func call(
    _ member: String, _ reply: @escaping Reply<Void>, _ write: (OutgoingMessage) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      try bus.call(Self.name, Self.path, Self.name, member, write) { reply($0.map { _ in }) }
    } catch {
      reply(.failure(error))
    }
  }

  private func call<Value>(
    _ member: String, _ texts: [String], _ reply: @escaping Reply<Value>,
    _ read: @escaping (BusMessage) throws(BusError) -> Value, missing: @escaping () -> Value
  ) {
    do throws(BusError) {
      try bus.call(Self.name, Self.path, Self.name, member) { message throws(BusError) in
        for text in texts { try message.add(text) }
      } reply: { result in
        switch result {
        case .failure(let error) where error.isNotFound: reply(.success(missing()))
        case .failure(let error): reply(.failure(error))
        case .success(let message):
          reply(Result { () throws(BusError) in try read(message) })
        }
      }
    } catch {
      reply(.failure(error))
    }
  }
}
