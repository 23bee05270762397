import BenchmarkFigures
import Foundation

/// Returns the peak memory use of this process, in MiB.
func peakMemory() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  let kilobytes = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.first ?? 0
  return kilobytes / 1_024
}

/// Runs each contender in a process of its own and prints its peak memory use.
func measurePeaks(_ benchmark: Benchmark, size: Int) {
  print("\n\(benchmark.name), \(size): peak memory, MiB")
  for contender in benchmark.contenders {
    let peak = runSelf("--peak", benchmark.name, contender.name, String(size))
    note("peak memory of \(contender.name)", peak)
    print("  " + contender.name.padding(32) + peak.leftPadding(8))
  }
}

/// Fills a queue for each case of waiting, in a process of its own.
func measureWaiting(count: Int) {
  print("\nheap bytes of each of \(count) operations that wait")
  for waiting in waitingCases {
    let bytes = runSelf("--waiting", waiting.name, String(count))
    note("heap of an operation that waits \(waiting.name)", bytes)
    print("  " + waiting.name.padding(32) + bytes.leftPadding(8))
  }
}

private func note(_ name: String, _ figure: String) {
  if let value = Double(figure) { FigureFile.note(name, [value, value, value]) }
}

/// Returns the output of this program run with other arguments.
private func runSelf(_ arguments: String...) -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  do { try process.run() } catch { return "failed: \(error)" }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return text.trimmingCharacters(in: .whitespacesAndNewlines)
}
