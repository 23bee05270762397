// The places in a line where a hole would allow too much, such as a subcommand or a host.

extension ProgramTable {
  /// Whether the first word behind a program's name, besides options, says what the program does.
  static func hasSubcommands(_ program: String) -> Bool { withSubcommands.contains(program) }

  /// Whether the words behind a program, or behind its subcommand, can be addresses. What they name is fetched or run.
  static func takesAddresses(_ program: String, _ subcommand: String?) -> Bool {
    guard let some = addresses[program] else { return false }
    return some.isEmpty || subcommand.map(some.contains) == true
  }

  private static let withSubcommands: Set<String> = [
    "git", "gh", "glab", "hg", "svn", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "go", "swift", "dotnet",
    "docker", "podman",
    "kubectl", "helm", "terraform", "pip", "pip3", "pipx", "uv", "poetry", "conda", "apt", "apt-get", "brew",
    "gem", "bundle", "rails",
    "mix", "make", "gmake", "just", "task", "gradle", "gradlew", "mvn", "systemctl", "openssl", "aws",
    "gcloud", "az",
  ]

  private static let installing: Set<String> = [
    "install", "i", "add", "exec", "x", "dlx", "create", "update", "run", "download",
  ]

  /// The subcommands by program; empty if every word can be an address.
  private static let addresses: [String: Set<String>] = [
    "curl": [], "wget": [], "ssh": [], "scp": [], "sftp": [], "rsync": [], "nc": [], "npx": [], "bunx": [],
    "uvx": [], "pipx": [],
    "git": ["clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive", "bundle"],
    "npm": installing, "pnpm": installing, "yarn": installing, "bun": installing,
    "deno": installing.union(["test", "cache"]),
    "pip": installing, "pip3": installing, "uv": installing.union(["pip", "tool"]), "poetry": installing,
    "gem": installing,
    "cargo": installing, "go": ["get", "install", "run"], "brew": installing, "apt": installing,
    "apt-get": installing,
    "docker": [], "podman": [], "kubectl": [], "helm": [],
  ]
}
