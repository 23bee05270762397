import Foundation
public import Testing

/// The programs that are installed on this machine.
public enum Installed {
  public static func has(_ program: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

extension Trait where Self == ConditionTrait {
  /// Declares that a test needs a program. Without the program, the test is skipped, or fails if the variable `CI` is
  /// set.
  public static func needs(_ program: String) -> Self { needs(program, isThere: Installed.has(program)) }

  /// Declares that a test needs a file, in the same way.
  public static func needs(file path: String) -> Self { needs(path, isThere: access(path, R_OK) == 0) }

  private static func needs(_ name: String, isThere: Bool) -> Self {
    .enabled(
      if: isThere || ProcessInfo.processInfo.environment["CI"] != nil, "\(name) is not installed")
  }
}
