// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
  // libFuzzer provides the main function.
  .unsafeFlags(["-parse-as-library"]),
]

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "PermTUI", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "PermModel", package: "PermTUI"), .product(name: "PermBroker", package: "PermTUI"),
      ], swiftSettings: settings)
  ]
)
