import Foundation

/// The file of figures from which `Benchmarks/budgets.py` makes its table.
public enum FigureFile {
  /// Appends a figure to the file that the variable `BENCH_FIGURES` names. Without the variable, does nothing.
  ///
  /// - Parameter values: The minimum, the median and the maximum.
  public static func note(_ name: String, _ values: [Double]) {
    guard let path = ProcessInfo.processInfo.environment["BENCH_FIGURES"],
      let line = try? JSONSerialization.data(withJSONObject: ["name": name, "values": values]),
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: line + Data("\n".utf8))
  }
}
