/// The same work, done by this kernel and by others.
struct Benchmark: Sendable {
  let name: String
  let sizes: [Int]
  /// The first is the kernel.
  let contenders: [Contender]
}

/// One way to do a benchmark's work. The work is done when `run` returns.
struct Contender: Sendable {
  let name: String
  let run: @Sendable (_ size: Int) async -> Void

  init(_ name: String, _ run: @escaping @Sendable (Int) async -> Void) {
    self.name = name
    self.run = run
  }
}
