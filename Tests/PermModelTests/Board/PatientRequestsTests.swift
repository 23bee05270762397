import Testing

@testable import PermModel

@Suite("The patient requests that wait for a place")
struct PatientRequestsTests {
  private var patients = PatientRequests()
  private var now = Duration.seconds(1_000)
  private var last = 0

  private func vouched(_ name: String) -> CostAccount { CostAccount(.path(name), in: .unknown) }

  private mutating func begin(_ account: CostAccount) -> Board.Item.ID? {
    last += 1
    return patients.begin(last, account, trying: .seconds(5), at: now) ? last : nil
  }

  @Test("Three of a program, and fifty in all")
  func counts() {
    var test = self
    for program in 0..<20 {
      let admitted = (0..<5).count { _ in test.begin(vouched("app:\(program)")) != nil }
      #expect(admitted == (program < 16 ? 3 : program == 16 ? 2 : 0))
    }
    test.patients.end(1)
    #expect(test.begin(vouched("app:99")) != nil)
  }

  @Test("Three of a family, for agents in each of their folders")
  func kin() {
    var test = self
    func account(_ inode: UInt64, in folder: UInt64?, _ family: Int32 = 1) -> CostAccount {
      let file = ProgramKey.file(FileIdentity(inode: inode, birth: 1), isSandboxed: false)
      let agent = folder.map {
        ProgramKey.agent(file, in: ProgramFolder(path: "/\($0)", device: 1, inode: $0))
      }
      return CostAccount(agent ?? file, in: .terminal("pts/1", leader: family))
    }
    for folder in [nil, 1, 2] as [UInt64?] {
      let admitted = (1...6).count { test.begin(account($0, in: folder)) != nil }
      #expect(admitted == 3)
    }
    #expect(test.begin(account(7, in: nil, 2)) != nil)
  }

  @Test("One that leaves has used its token, and only time or a person's answer brings it back")
  func tokens() {
    var test = self
    func askAndLeave() -> Bool {
      guard let id = test.begin(vouched("app")) else { return false }
      test.patients.end(id)
      return true
    }
    #expect((0..<10).count { _ in askAndLeave() } == 3)
    test.now += .seconds(10)
    #expect((0..<10).count { _ in askAndLeave() } == 1)
    test.patients.giveBack(vouched("app"))
    #expect((0..<10).count { _ in askAndLeave() } == 1)
  }

  @Test("In less than a minute, a program that asks and leaves in a loop gets eight")
  func flood() {
    var test = self
    var admitted = 0
    for _ in 0..<5_999 {
      if let id = test.begin(vouched("app")) {
        admitted += 1
        test.patients.end(id)
      }
      test.now += .milliseconds(10)
    }
    #expect(admitted == 8)
  }
}
