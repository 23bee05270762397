// Compares the kernel with its peers in one run: times, latencies, memory.
//
//   OperationsBenchmark [REPETITIONS] [WORD…]      only benchmarks whose name has one of the words

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

switch (arguments.first, arguments.count) {
case ("--peak", 4):
  let benchmark = benchmarks.first { $0.name == arguments[1] }
  let contender = benchmark?.contenders.first { $0.name == arguments[2] }
  await contender?.run(Int(arguments[3]) ?? 0)
  print(format(peakMemory()))
case ("--waiting", 3):
  guard let waiting = waitingCases.first(where: { $0.name == arguments[1] }) else { exit(64) }
  print(await bytesWaiting(waiting, count: Int(arguments[2]) ?? 1))
default:
  await measureAll(arguments)
}

func measureAll(_ arguments: [String]) async {
  let repetitions = arguments.first.flatMap { Int($0) } ?? 11
  let words = arguments.filter { Int($0) == nil }
  func wants(_ name: String) -> Bool { words.isEmpty || words.contains { name.contains($0) } }

  print(heading)
  for benchmark in benchmarks where wants(benchmark.name) {
    for size in benchmark.sizes {
      await measure(benchmark, size: size, repetitions: size >= 1_000_000 ? min(3, repetitions) : repetitions)
      fflush(nil)
    }
  }
  if wants("latency") { measureLatency(rounds: 5_000) }
  if wants("waiting") { measureWaiting(count: 100_000) }
  if wants("peak"), let first = benchmarks.first { measurePeaks(first, size: 1_000_000) }
}
