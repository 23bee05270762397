/// The names of tools in the rules of coding agents, and the capabilities that they stand for.
package enum ForeignRule {
  /// The capability, and its part, of each tool that takes a pattern.
  package static let capabilities: [String: String] = [
    "Bash": "commands:run", "Shell": "commands:run", "PowerShell": "commands:run", "Monitor": "commands:run",
    "Read": "files:read", "Glob": "files:read", "Grep": "files:read", "LS": "files:read",
    "NotebookRead": "files:read",
    "Write": "files:write", "Edit": "files:write", "MultiEdit": "files:write", "NotebookEdit": "files:write",
    "WebFetch": "network:connect",
  ]

  /// Returns a pattern in the spelling that works here, if there is one; otherwise, the pattern.
  static func plain(_ pattern: String) -> String {
    if pattern.hasPrefix("domain:") { return String(pattern.dropFirst("domain:".count)) }
    if pattern.hasSuffix(":*") || pattern.hasSuffix(" *") { return "\(pattern.dropLast(2)) …" }
    return pattern.hasSuffix("/**") ? String(pattern.dropLast(2)) : pattern
  }
}
