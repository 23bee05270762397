// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "PermTUI", path: "..")],
  targets: [
    .executableTarget(
      name: "ImportPictures",
      dependencies: [
        .product(name: "Operations", package: "PermTUI"),
        .product(name: "PermModel", package: "PermTUI"),
        .product(name: "PermBroker", package: "PermTUI"),
      ])
  ]
)
