import Glibc
import Machine
import Testing
import Waiting

@testable import Operations
@testable import OperationsExtras

@Suite("The kernel's network")
struct KernelNetworkTests {
  @Test("Interfaces and routes are read from the kernel's files")
  func files() throws {
    let tree = try FileTree([
      "proc/net/route": """
      Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
      wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
      eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
      eth0\t00000000\t0101A8C0\t0203\t0\t0\t100\t00000000\t0\t0\t0
      """,
      "proc/net/ipv6_route": """
      fd000000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
      00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     tun0
      00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
      """,
      "sys/class/net/lo/operstate": "unknown\n", "sys/class/net/lo/flags": "0x9\n",
      "sys/class/net/lo/type": "772\n",
      "sys/class/net/eth0/operstate": "down\n", "sys/class/net/eth0/flags": "0x1003\n",
      "sys/class/net/eth0/type": "1\n", "sys/class/net/eth0/uevent": "INTERFACE=eth0\nIFINDEX=2\n",
      "sys/class/net/wlan0/operstate": "up\n", "sys/class/net/wlan0/flags": "0x1003\n",
      "sys/class/net/wlan0/type": "1\n", "sys/class/net/wlan0/uevent": "DEVTYPE=wlan\nINTERFACE=wlan0\n",
      "sys/class/net/wlp3s0/operstate": "up\n", "sys/class/net/wlp3s0/flags": "0x1002\n",
      "sys/class/net/wlp3s0/type": "1\n", "sys/class/net/wlp3s0/phy80211/index": "0\n",
      "sys/class/net/wwan0/operstate": "up\n", "sys/class/net/wwan0/flags": "0x1003\n",
      "sys/class/net/wwan0/type": "65534\n", "sys/class/net/wwan0/uevent": "DEVTYPE=wwan\n",
      "sys/class/net/br0/operstate": "up\n", "sys/class/net/br0/flags": "0x1003\n",
      "sys/class/net/br0/type": "1\n", "sys/class/net/br0/uevent": "DEVTYPE=bridge\n",
      "sys/class/net/tun0/operstate": "unknown\n", "sys/class/net/tun0/flags": "0x1091\n",
      "sys/class/net/tun0/type": "65534\n",
    ])
    let state = try KernelNetwork(root: tree.path).state()
    #expect(
      state.interfaces == [
        NetworkInterface(name: "br0", kind: .virtual, isUp: true),
        NetworkInterface(name: "eth0", kind: .wired, isUp: false),
        NetworkInterface(name: "lo", kind: .loopback, isUp: true),
        NetworkInterface(name: "tun0", kind: .virtual, isUp: true),
        NetworkInterface(name: "wlan0", kind: .wireless, isUp: true),
        NetworkInterface(name: "wlp3s0", kind: .wireless, isUp: false),
        NetworkInterface(name: "wwan0", kind: .mobile, isUp: true),
      ])
    #expect(
      state.defaultRoutes == [
        NetworkRoute(interface: "wlan0", family: .ipv4), NetworkRoute(interface: "tun0", family: .ipv6),
      ])
  }

  @Test("A kernel without IPv6 is no error, and one without routes is")
  func missingFiles() throws {
    let table = "Iface\tDestination\n"
    let tree = try FileTree(["proc/net/route": table, "sys/class/net/lo/operstate": "unknown\n"])
    #expect(try KernelNetwork(root: tree.path).state().defaultRoutes.isEmpty)
    let empty = try FileTree(["proc/version": "Linux\n"])
    let error = #expect(throws: ReachabilityError.self) { try KernelNetwork(root: empty.path).state() }
    #expect(error?.description.contains("\(empty.path)/sys/class/net: No such file") == true)
  }

  @Test("This machine has a loopback interface")
  func thisMachine() throws {
    let state = try KernelNetwork().state()
    #expect(state.interfaces.contains { $0.kind == .loopback })
  }

  @Test("A port that listens answers, and one that does not is refused")
  func ports() async throws {
    let (listener, listening) = try port()
    defer { close(listener) }
    try await KernelNetwork().check(NetworkHost("127.0.0.1", port: listening))
    try await KernelNetwork().check(NetworkHost("127.0.0.1"))
    // The port stays this test's, so that no other program can listen there.
    let (silent, port) = try port(isListening: false)
    defer { close(silent) }
    await #expect(
      throws: ReachabilityError.noAnswer(host: "127.0.0.1", port: port, reason: "Connection refused")
    ) {
      try await KernelNetwork().check(NetworkHost("127.0.0.1", port: port))
    }
  }

  @Test(
    "Patience that is no time at all does not wait for ever", arguments: [Duration.zero, .milliseconds(-500)])
  func patience(patience: Duration) async throws {
    let (listener, port) = try port()
    defer { close(listener) }
    // Whether it is reached in no time is up to the kernel; it matters that this returns.
    try? await KernelNetwork().check(NetworkHost("127.0.0.1", port: port, patience: patience))
  }

  @Test("A name that cannot be is an unknown host")
  func unknownHost() async throws {
    let name = String(repeating: "x", count: 300)
    let error = await #expect(throws: ReachabilityError.self) {
      try await KernelNetwork().check(NetworkHost(name))
    }
    guard case .unknownHost(name, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "Changes of the network come from the kernel, without polling",
    .enabled("only root may make a network of its own") { await NetworkOfOneThread.isAllowed })
  func changes() async throws {
    let changes = await BlockingThread.run {
      _ = NetworkOfOneThread.make()
      let changes = Result { try KernelNetwork().changes() }
      NetworkOfOneThread.switchLoopbackOn()
      return changes
    }
    var isNews = false
    for await _ in try changes.get() {
      isNews = true
      break
    }
    #expect(isNews)
  }

  @Test("A task that stops listening for changes leaves no descriptor behind")
  func listening() async throws {
    for _ in 0..<100 {
      let changes = try KernelNetwork().changes()
      let task = Task { for await _ in changes {} }
      task.cancel()
      await task.value
    }
    // Threads close their descriptors at some later time. One may be another test's.
    try await until { routeSockets <= 1 }
  }

  // MARK: The machine

  /// The number of this process's netlink sockets for routes.
  private var routeSockets: Int {
    (0..<1_024).filter { option(SO_DOMAIN, of: $0) == AF_NETLINK && option(SO_PROTOCOL, of: $0) == 0 }.count
  }

  private func option(_ option: Int32, of descriptor: Int32) -> Int32? {
    var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
  }

  /// Takes a free port of this machine, and returns it with its socket.
  private func port(isListening: Bool = true) throws -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try #require(bind(descriptor, address, size) == 0)
        if isListening { try #require(listen(descriptor, 1) == 0) }
        try #require(getsockname(descriptor, address, &size) == 0)
      }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

/// A network for only the calling thread, and those that it starts; the machine's network is left alone.
private enum NetworkOfOneThread {
  static var isAllowed: Bool {
    get async { await BlockingThread.run { make() } }
  }

  static func make() -> Bool {
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    let newNetwork: Int32 = 0x4000_0000
    return unshare(newNetwork) == 0
  }

  static func switchLoopbackOn() {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    // The kernel's `struct ifreq`: sixteen bytes of name, then the flags.
    var request = Array("lo".utf8) + [UInt8](repeating: 0, count: 38)
    request[16] = 0x1
    let setFlags: UInt = 0x8914
    _ = ioctl(descriptor, setFlags, &request)
  }
}
