import Foundation

/// Takes turns between the contenders, so that a slow minute of the machine slows them all.
func measure(_ benchmark: Benchmark, size: Int, repetitions: Int) async {
  var samples = benchmark.contenders.map { _ in Samples() }
  for contender in benchmark.contenders { await contender.run(min(size, 1_000)) }
  for _ in 0..<repetitions {
    for (place, contender) in benchmark.contenders.enumerated() {
      let time = await ContinuousClock().measure { await contender.run(size) }
      samples[place].add(time.milliseconds)
    }
  }
  print("\n\(benchmark.name), \(size)")
  for (contender, figures) in zip(benchmark.contenders, samples) {
    print(line(contender.name, figures, size: size, reference: samples[0]))
  }
}

private func line(_ name: String, _ figures: Samples, size: Int, reference: Samples) -> String {
  let columns = [
    format(figures.minimum), format(figures.median), format(figures.maximum),
    format(figures.median * 1_000 / Double(size)), format(reference.median / figures.median),
  ]
  return "  " + name.padding(28) + columns.map { $0.leftPadding(11) }.joined()
}

/// The heading of the columns that `measure` prints.
let heading =
  "  " + "".padding(28)
  + ["min ms", "median ms", "max ms", "µs each", "kernel/this"].map { $0.leftPadding(11) }.joined()

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
