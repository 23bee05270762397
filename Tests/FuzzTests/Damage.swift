/// Damaged copies of inputs, the same ones in each run.
struct Damage: RandomNumberGenerator {
  private var state: UInt64 = 1

  /// The generator of random numbers that is called SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns an input with one to four faults; some are pieces of other inputs.
  mutating func damaged(_ inputs: [[UInt8]]) -> [UInt8] {
    var input = pick(inputs)
    for _ in 0..<Int.random(in: 1...4, using: &self) { harm(&input, inputs) }
    return input
  }

  private mutating func harm(_ input: inout [UInt8], _ inputs: [[UInt8]]) {
    let range = part(of: input)
    switch UInt8.random(in: 0..<4, using: &self) {
    case 0: input.removeSubrange(range)
    case 1: input.insert(contentsOf: input[range], at: range.upperBound)
    case 2: input.replaceSubrange(range, with: piece(of: pick(inputs)))
    default: for place in range.prefix(3) { input[place] = .random(in: 0...255, using: &self) }
    }
  }

  private mutating func pick(_ inputs: [[UInt8]]) -> [UInt8] { inputs.randomElement(using: &self) ?? [] }

  private mutating func piece(of input: [UInt8]) -> ArraySlice<UInt8> { input[part(of: input)] }

  private mutating func part(of input: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0...input.count, using: &self)
    return start..<Int.random(in: start...min(start + 16, input.count), using: &self)
  }
}
