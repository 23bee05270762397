import Foundation
import TerminalTesting
import Testing

extension Ground {
  /// Makes a ground whose working folder is a repository with one commit.
  static func withRepository() async throws -> Ground {
    let ground = try await Ground()
    let made = try await ground.outside(
      "sh", "-c",
      """
      git init -q -b main && git config user.email a@example.org && git config user.name A
      git config gc.auto 0 && echo one > file && git add file && git commit -qm first
      """)
    #expect(made.ending == .exited(0), "\(made.messages)")
    return ground
  }
}

@Suite("One repository, inside and outside", .needsWalls, .repeated, .timeLimitOfEachRound(minutes: 20))
struct RepositoryTests {
  /// The seconds for which programs and a person work together. `make check-long` sets it to ten minutes.
  private static let seconds =
    ProcessInfo.processInfo.environment["PERMTUI_TOGETHER_SECONDS"].flatMap(Int.init) ?? 4

  /// Lines of a shell that commit a file of their own, and a line of a file that all have in common, again and again.
  /// They say each commit that git has acknowledged.
  private func work(_ name: String) -> String {
    """
    end=$(($(date +%s) + \(Self.seconds))); n=0
    while [ $(date +%s) -lt $end ]; do
      n=$((n + 1)); echo $n > \(name)$n
      flock lock sh -c "echo \(name) $n >> common; \
    until git add \(name)$n common && git commit -q -m '\(name) $n' -- \(name)$n common; do sleep 0.01; done 2>/dev/null"
      echo \(name) $n
    done
    """
  }

  @Test("Two sandboxes and a person commit, and someone tidies up: no line is lost")
  func together() async throws {
    let ground = try await Ground.withRepository()
    let workers = [
      try ground.startInside(shell: work("one")), try ground.startInside(shell: work("two")),
      try ground.startOutside("sh", "-c", work("person")),
    ]
    let tidying = try ground.startOutside(
      "sh", "-c", "while :; do git pack-refs --all; git repack -adq; git prune-packed; sleep 0.5; done")
    for worker in workers { #expect(try await worker.end() == 0, "\(worker.messages)") }
    tidying.send(SIGKILL)
    _ = try await tidying.end()
    let told = workers.flatMap { $0.output.split(separator: "\n").map(String.init) }
    #expect(told.count > 3)
    try await isWhole(ground, told: told)
  }

  /// Looks at the repository outside: git finds no fault, and every commit and every line that was told is there.
  private func isWhole(_ ground: Ground, told: [String]) async throws {
    let check = try await ground.outside("git", "fsck", "--strict", "--no-dangling")
    #expect(check.ending == .exited(0) && check.output.isEmpty, "\(check.output)\(check.messages)")
    let log = try await ground.outside("git", "log", "--format=%s")
    #expect(Set(log.output.split(separator: "\n").map(String.init)) == Set(told + ["first"]))
    let files = try await ground.outside("git", "ls-tree", "--name-only", "main")
    let names = told.map { $0.replacing(" ", with: "") } + ["file", "common"]
    #expect(Set(files.output.split(separator: "\n").map(String.init)) == Set(names))
    let common = try await ground.outside("git", "show", "main:common")
    #expect(common.output.split(separator: "\n").map(String.init).sorted() == told.sorted())
  }

  @Test("A commit inside is seen outside at once, and one outside inside")
  func inTurns() async throws {
    let ground = try await Ground.withRepository()
    let running = try ground.startInside(
      shell: """
        for n in 1 2 3 4 5 6 7 8; do
          until [ -e outside$n ]; do sleep 0.002; done
          git log -1 --format=%s; git status --short -uno; echo inside $n >> file; git commit -qam "inside $n"; touch inside$n
        done
        """)
    let person = try ground.startOutside(
      "sh", "-c",
      """
      for n in 1 2 3 4 5 6 7 8; do
        echo outside $n >> file; git commit -qam "outside $n"; git pack-refs --all; touch outside$n
        until [ -e inside$n ]; do sleep 0.002; done
        git log -1 --format=%s; git status --short -uno
      done
      """)
    #expect(try await person.end() == 0, "\(person.messages)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == (1...8).map { "outside \($0)\n" }.joined())
    #expect(person.output == (1...8).map { "inside \($0)\n" }.joined())
    #expect(try await ground.outside("git", "fsck", "--strict").ending == .exited(0))
  }
}
