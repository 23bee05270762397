/// The widths, in cells, at which words or layouts change.
enum LayoutWidth {
  /// Below this width, the keys of a key bar are closer to each other.
  static let closeKeys = 36
  /// From this width on, a key bar has space to say that a word must be typed.
  static let longKeys = 40
  /// Below this width, lists, forms and the header use their short words.
  static let narrow = 60
  /// Below this width, the banner of the demo is shorter.
  static let demoBanner = 65
  /// Below this width, a form shows the times of a request among its facts, and the status line is shorter.
  static let usualForm = 70
  /// Below this width, the banner of a panic is shorter.
  static let panicBanner = 75
  /// The width for which the columns of the lists are made.
  static let usual = 80
  /// From this width on, the list of waiting requests says where each of them is.
  static let places = 100
  /// From this width on, lists show seconds.
  static let wide = 120
}
