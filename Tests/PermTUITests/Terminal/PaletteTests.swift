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

  @Test("Without colours no role has one", arguments: Style.Role.allCases)
  func mono(role: Style.Role) {
    #expect(Palette.color(of: role, depth: .none) == nil)
  }

  @Test(
    "The number of colours decides",
    arguments: [(0, Palette.Depth.none), (8, .basic), (88, .basic), (256, .extended)])
  func depth(colors: Int, depth: Palette.Depth) {
    #expect(Palette.Depth(colors: colors) == depth)
  }

  /// The relative luminance of a colour of xterm's cube or grey ramp, as WCAG defines it.
  private static func luminance(of index: Int) -> Double {
    let levels = [0, 95, 135, 175, 215, 255]
    let (red, green, blue) =
      index >= 232
      ? (8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232))
      : (levels[(index - 16) / 36], levels[(index - 16) / 6 % 6], levels[(index - 16) % 6])
    func linear(_ value: Int) -> Double {
      let part = Double(value) / 255
      // The curve of sRGB, close enough for a limit.
      return part * part * (0.305 * part + 0.682) + 0.0125 * part
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
