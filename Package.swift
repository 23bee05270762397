// swift-tools-version: 6.2
import PackageDescription

/// Settings that every target of ours shares. CI adds warnings as errors through the environment, so that
/// a newer compiler with a new warning never breaks somebody else's build.
let environment = Context.environment
var shared: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
if environment["PERMTUI_WARNINGS_AS_ERRORS"] != nil {
  shared.append(.treatAllWarnings(as: .error))
}
/// The thread sanitizer does not see the futex calls inside `Synchronization.Mutex` and reports races that are
/// not there; under it `Lock` is built on pthread, which it does see.
if environment["PERMTUI_SANITIZER_LOCKS"] != nil {
  shared.append(.define("PTHREAD_LOCK"))
}

/// The commit that `permtui --version` shows. `scripts/release` sets it; a plain `swift build` does without, so that a
/// commit rebuilds nothing.
let commit = environment["PERMTUI_COMMIT"].map { CSetting.define("PERMTUI_COMMIT", to: "\"\($0)\"") }

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let heaps = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

let package = Package(
  name: "PermTUI",
  products: [
    .executable(name: "permtui", targets: ["PermTUI"]),
    .executable(name: "permtui-run", targets: ["PermRun"]),
    .executable(name: "permtui-portal", targets: ["PermPortal"]),
    .library(name: "Operations", targets: ["Operations"]),
    .library(name: "OperationsExtras", targets: ["OperationsExtras"]),
    .library(name: "OperationsFoundation", targets: ["OperationsFoundation"]),
    .library(name: "PermModel", targets: ["PermModel"]),
    .library(name: "PermModelTesting", targets: ["PermModelTesting"]),
    .library(name: "PermBroker", targets: ["PermBroker"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CLinux"),
    .target(name: "CVersion", cSettings: commit.map { [$0] } ?? []),
    // Only the programs depend on it, so that a new commit leaves the libraries as they are built.
    .target(name: "ProgramVersion", dependencies: ["CVersion"], swiftSettings: shared),
    .target(name: "Machine", dependencies: ["CLinux"], swiftSettings: shared),
    .target(name: "Operations", dependencies: ["Machine", heaps], swiftSettings: shared),
    .target(
      name: "OperationsExtras", dependencies: ["Operations", "Machine", logging], swiftSettings: shared),
    .target(name: "OperationsFoundation", dependencies: ["Operations", "Machine"], swiftSettings: shared),
    .target(name: "PermModel", dependencies: ["Operations", "Machine", grdb, sqlite], swiftSettings: shared),
    .target(name: "PermModelTesting", dependencies: ["PermModel", "Machine"], swiftSettings: shared),
    .target(
      name: "PermBroker", dependencies: ["PermModel", "Operations", "Machine", nio, nioPosix],
      resources: [
        .embedInCode("Methods/io.permtui.Broker.varlink"),
        .embedInCode("Methods/org.varlink.service.varlink"),
      ],
      swiftSettings: shared),
    .executableTarget(
      name: "PermTUI",
      dependencies: [
        "PermModel", "PermBroker", "Operations", "Machine", "CNcurses", "ProgramVersion", arguments,
      ],
      swiftSettings: shared),
    // The walls of `permtui-run`: the builder and the filter in C, because they run after `fork`; the rest in Swift.
    .target(name: "CWalls", exclude: ["calls.def"]),
    .systemLibrary(name: "CFuse", providers: [.apt(["libfuse3-dev"])]),
    .executableTarget(
      name: "PermRun", dependencies: ["PermBroker", "PermModel", "Machine", "CWalls", "CFuse", arguments],
      swiftSettings: shared),
    // The backend of the desktop's portals, with the D-Bus client of libsystemd.
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .executableTarget(
      name: "PermPortal",
      dependencies: ["PermBroker", "PermModel", "Machine", "CSystemd", "ProgramVersion", arguments],
      swiftSettings: shared),
    .systemLibrary(name: "CVTerm", path: "Tests/Support/CVTerm", providers: [.apt(["libvterm-dev"])]),
    .target(
      name: "TerminalTesting", dependencies: ["CVTerm"], path: "Tests/Support/TerminalTesting",
      swiftSettings: shared),
    .target(name: "Waiting", path: "Tests/Support/Waiting", swiftSettings: shared),
    .executableTarget(
      name: "KernelStress", dependencies: ["Operations"], path: "Tests/Support/KernelStress",
      swiftSettings: shared),
    .testTarget(
      name: "OperationsTests",
      dependencies: [
        "Operations", "OperationsExtras", "OperationsFoundation", "PermModelTesting", "KernelStress",
        "Machine", "Waiting", logging,
      ],
      swiftSettings: shared),
    // The code of the documents, which sees no more than another package does.
    .target(
      name: "OtherPackage", dependencies: ["PermBroker", "PermModel", "PermModelTesting"],
      path: "Tests/Support/OtherPackage",
      packageAccess: false, swiftSettings: shared),
    .executableTarget(
      name: "StoreWriter", dependencies: ["PermModel"], path: "Tests/Support/StoreWriter",
      swiftSettings: shared),
    .testTarget(
      name: "PermModelTests",
      dependencies: [
        "PermModel", "PermModelTesting", "OtherPackage", "Machine", "StoreWriter", "Waiting", grdb, sqlite,
      ],
      exclude: [
        "Store/Version0.1.0", "Store/Format6", "Store/Version0.2.0", "Authorization/Version0.2.0",
      ], swiftSettings: shared),
    .testTarget(
      name: "PermBrokerTests",
      dependencies: ["PermBroker", "Machine", "TerminalTesting", "Waiting", nio, nioEmbedded],
      exclude: ["Agents/Messages"], swiftSettings: shared),
    .testTarget(
      name: "PermTUITests",
      dependencies: [
        "PermTUI", "PermModelTesting", "ProgramVersion", "Machine", "TerminalTesting", "Waiting",
      ],
      exclude: ["Goldens"], swiftSettings: shared),
    // The example of its own package once more, so that every build of the tests compiles it and a test runs it.
    .executableTarget(
      name: "ImportPicturesExample", dependencies: ["Operations", "PermModel", "PermBroker"],
      path: "Examples/Sources/ImportPictures", packageAccess: false, swiftSettings: shared),
    // The readers of the fuzzer's package once more, so that every build compiles them and a test runs them.
    .target(
      name: "FuzzInputs", dependencies: ["PermModel", "PermBroker"], path: "Fuzz/Sources/Fuzz",
      exclude: ["Driver.swift"], swiftSettings: shared),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzInputs"], swiftSettings: shared),
    .systemLibrary(name: "CMalloc", path: "Benchmarks/Sources/CMalloc"),
    .target(name: "BenchmarkFigures", path: "Benchmarks/Sources/BenchmarkFigures", swiftSettings: shared),
    .executableTarget(
      name: "OperationsBenchmark", dependencies: ["BenchmarkFigures", "CMalloc", "Operations"],
      path: "Benchmarks/Sources/OperationsBenchmark", packageAccess: false, swiftSettings: shared),
    .executableTarget(
      name: "StoreBenchmark", dependencies: ["BenchmarkFigures", "PermModel", grdb],
      path: "Benchmarks/Sources/StoreBenchmark",
      swiftSettings: shared),
    .testTarget(
      name: "PermRunTests", dependencies: ["PermRun", "PermTUI", "CWalls", "TerminalTesting", "Waiting"],
      exclude: ["Programs"],
      swiftSettings: shared),
    .testTarget(
      name: "PermPortalTests",
      dependencies: [
        "PermPortal", "PermTUI", "PermBroker", "PermModel", "Operations", "Machine", "ProgramVersion",
        "TerminalTesting", "Waiting",
      ], exclude: ["Programs"], swiftSettings: shared),
    .testTarget(
      name: "EndToEndTests", dependencies: ["PermTUI", "TerminalTesting", "ImportPicturesExample", grdb],
      swiftSettings: shared),
  ]
)

/// The test targets to build, with what they need. CI builds for a sanitizer only what runs under it.
if let tests = environment["PERMTUI_TESTS"] {
  var needed = Set(tests.split(separator: " ").map(String.init))
  // Each target is behind those that it depends on.
  for target in package.targets.reversed() where needed.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
