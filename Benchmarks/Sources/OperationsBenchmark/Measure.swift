import BenchmarkFigures
import Foundation

/// Measures the contenders in turns, so that a slow minute of the machine slows them all. The first in one round is the
/// last in the next.
func measure(_ benchmark: Benchmark, size: Int, repetitions: Int) async {
  var rounds: [[Double]] = []
  for contender in benchmark.contenders { await contender.run(min(size, 1_000)) }
  for round in 0..<repetitions {
    var times = benchmark.contenders.map { _ in 0.0 }
    for turn in benchmark.contenders.indices {
      let place = (round + turn) % benchmark.contenders.count
      let run = benchmark.contenders[place].run
      times[place] = await ContinuousClock().measure { await run(size) }.milliseconds
    }
    rounds.append(times)
  }
  print("\n\(benchmark.name), \(size), \(repetitions) rounds")
  for (place, contender) in benchmark.contenders.enumerated() {
    let times = Samples(rounds.map { $0[place] })
    let ratios = Samples(rounds.map { $0[0] / $0[place] })
    FigureFile.note("\(benchmark.name), \(size), \(contender.name)", ratios.figures)
    print(line(contender.name, times, ratios, size: size))
  }
}

/// - Parameter ratios: The kernel's time relative to this contender's, each within one round.
private func line(_ name: String, _ times: Samples, _ ratios: Samples, size: Int) -> String {
  let figures = [
    times.minimum, times.median, times.maximum, times.median * 1_000 / Double(size),
    ratios.minimum, ratios.median, ratios.maximum,
  ]
  return "  " + name.padding(28) + figures.map { format($0).leftPadding(10) }.joined()
}

/// The heading of the columns that `measure` prints.
let heading =
  "  " + "ms, and kernel/this".padding(28)
  + ["min", "median", "max", "µs each", "min", "median", "max"].map { $0.leftPadding(10) }.joined()

func format(_ value: Double) -> String { String(format: "%.2f", value) }

extension String {
  func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  func leftPadding(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Duration {
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }
}
