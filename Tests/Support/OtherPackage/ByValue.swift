import PermModel

/// Returns the requirements that a program of another package can have by value.
func requirementsByValue() throws -> [AtomRequirement] {
  [
    try Capability.Files(.read, "/srv/a").requirement,
    try Capability.Network(.connect, to: "api.example.org", port: 443).requirement,
    try Capability.Commands(run: "git push origin main").requirement,
    try CapabilityCatalogue.builtIn.capability("files:read@/srv/a").requirement,
    Capability.Files(.read, in: [.path(try AbsolutePath("/srv/a")), .folder(try AbsolutePath("/srv/b"))])
      .requirement,
    Capability.Files(.write, in: [try Scope("/srv/a/", kind: .path)]).requirement,
    Lights("kitchen").requirement,
  ]
}
