// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "PermTUI", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
      name: "OperationsBenchmark",
      dependencies: ["CMalloc", .product(name: "Operations", package: "PermTUI")], swiftSettings: settings),
    .executableTarget(
      name: "StoreBenchmark",
      dependencies: [
        .product(name: "PermModel", package: "PermTUI"), .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
  ]
)
