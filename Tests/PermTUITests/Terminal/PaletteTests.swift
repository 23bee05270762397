import Testing

@testable import PermTUI

@Suite("The palette")
struct PaletteTests {
  @Test("With 256 colours every role can be read on black and on white", arguments: Style.Role.allCases)
  func contrast(role: Style.Role) throws {
    guard let index = Palette.color(of: role, depth: .extended) else { return }
    let luminance = Self.luminance(of: Int(index))
    #expect(1.05 / (luminance + 0.05) >= 4, "\(role) on white")
    #expect((luminance + 0.05) / 0.05 >= 4, "\(role) on black")
  }

  @Test(
    "With few colours every role can be read on the background, whichever the theme of the terminal",
    arguments: Style.Role.allCases, [Background.unknown, .dark, .light])
  func fewColors(role: Style.Role, background: Background) throws {
    guard let index = Palette.color(of: role, depth: .basic, on: background) else { return }
    for (name, theme) in Self.themes {
      let luminance = Self.luminance(theme[Int(index)])
      if background != .light { #expect((luminance + 0.05) / 0.05 >= 2.7, "\(role) on black, \(name)") }
      if background != .dark { #expect(1.05 / (luminance + 0.05) >= 4, "\(role) on white, \(name)") }
    }
  }

  @Test(
    "The background is what is set, or what the terminal says",
    arguments: [
      (.dark, ["COLORFGBG": "0;15"], .dark), (.light, [:], .light), (.auto, [:], .unknown),
      (.auto, ["COLORFGBG": "15;0"], .dark), (.auto, ["COLORFGBG": "0;default;15"], .light),
      (.auto, ["COLORFGBG": "none"], .unknown), (.auto, ["TERM": "linux"], .dark),
    ] as [(ThemeSetting, [String: String], Background)])
  func background(setting: ThemeSetting, environment: [String: String], background: Background) {
    #expect(Background(setting, environment: environment) == background)
  }

  @Test("Styles without a colour are told apart by their weight")
  func weight() {
    let palette = Palette(depth: .none)
    #expect(palette.attributes(for: Style(.accent)) != palette.attributes(for: Style(.normal)))
    #expect(palette.attributes(for: Style(.attention)) != palette.attributes(for: Style(.normal)))
    #expect(palette.attributes(for: Style(.muted)) != palette.attributes(for: Style(.normal)))
  }

  @Test("Without colours no role has one", arguments: Style.Role.allCases)
  func mono(role: Style.Role) {
    #expect(Palette.color(of: role, depth: .none) == nil)
  }

  @Test(
    "The number of colours decides",
    arguments: [(0, Palette.Depth.none), (8, .basic), (88, .basic), (256, .extended), (1 << 24, .basic)])
  func depth(colors: Int, depth: Palette.Depth) {
    #expect(Palette.Depth(colors: colors) == depth)
  }

  @Test("Direct colours are those of the palette, and need no more than 256 of them")
  func direct() {
    #expect(Palette.Depth(colors: 1 << 24, isDirect: true) == .extended)
    let colors: [(Int16, Int32)] = [
      (1, 1), (31, 0x0087af), (28, 0x008700), (161, 0xd7005f), (130, 0xaf5f00), (231, 0xffffff),
      (232, 0x080808), (243, 0x767676), (255, 0xeeeeee),
    ]
    for (color, direct) in colors { #expect(Palette.direct(color) == direct) }
  }

  /// Returns the relative luminance of a colour of xterm's cube or grey ramp, as WCAG defines it.
  private static func luminance(of index: Int) -> Double {
    let levels = [0, 95, 135, 175, 215, 255]
    let (red, green, blue) =
      index >= 232
      ? (8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232))
      : (levels[(index - 16) / 36], levels[(index - 16) / 6 % 6], levels[(index - 16) % 6])
    return luminance((red, green, blue))
  }

  /// The first eight colours as terminals have them unless the person changed them.
  private static let themes: [(String, [(Int, Int, Int)])] = [
    (
      "xterm",
      [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
        (229, 229, 229),
      ]
    ),
    (
      "console",
      [
        (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170),
        (170, 170, 170),
      ]
    ),
    (
      "Tango",
      [
        (0, 0, 0), (204, 0, 0), (78, 154, 6), (196, 160, 0), (52, 101, 164), (117, 80, 123), (6, 152, 154),
        (211, 215, 207),
      ]
    ),
  ]

  private static func luminance(_ color: (red: Int, green: Int, blue: Int)) -> Double {
    func linear(_ value: Int) -> Double {
      let part = Double(value) / 255
      // This approximates the sRGB curve, closely enough for a limit.
      return part * part * (0.305 * part + 0.682) + 0.0125 * part
    }
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
  }
}
