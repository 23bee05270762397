import Foundation
import Glibc
import TerminalTesting

/// A network namespace that stands for another machine, with one link to this one.
final class OtherNetwork: Sendable {
  private let name: String
  private let link: String
  /// The addresses of this end of the link, and of the other one.
  let (here, there): (String, String)

  /// The beginning of a command line that runs over there. All but the network stays: a broker takes no answers from another
  /// mount namespace, such as the one that `ip netns exec` makes.
  var prefix: [String] { ["nsenter", "--net=/run/netns/\(name)"] }

  struct Missing: Error { var messages: String }

  /// - Parameter number: A number that no other test uses, below 60.
  init(_ number: Int) async throws {
    name = "permtui-\(number)-\(getpid())"
    link = "pb\(number)x\(getpid() % 100_000)"
    (here, there) = ("198.18.77.\(number * 4 + 1)", "198.18.77.\(number * 4 + 2)")
    try await run(
      """
      set -e; PATH=$PATH:/usr/sbin:/sbin
      ip netns add \(name)
      ip link add \(link)a type veth peer name \(link)b netns \(name)
      ip address add \(here)/30 dev \(link)a; ip link set \(link)a up
      ip -n \(name) address add \(there)/30 dev \(link)b; ip -n \(name) link set \(link)b up
      ip -n \(name) link set lo up
      """)
  }

  /// Cuts the link, or joins it again. No connection over it is told.
  func setLink(_ isUp: Bool) async throws {
    try await run("PATH=$PATH:/usr/sbin:/sbin ip link set \(link)a \(isUp ? "up" : "down")")
  }

  private func run(_ line: String) async throws {
    let run = try await ProcessRun.run("/bin/sh", ["-c", line], environment: ["PATH": "/usr/bin:/bin"])
    guard run.ending == .exited(0) else { throw Missing(messages: run.messages) }
  }

  deinit {
    // The link goes with its other end.
    let delete = Process()
    delete.executableURL = URL(filePath: "/bin/sh")
    delete.arguments = ["-c", "PATH=$PATH:/usr/sbin:/sbin ip netns delete \(name)"]
    try? delete.run()
    delete.waitUntilExit()
  }
}
