/// The values of the interface `io.permtui.Broker`, as they go over the wire. Each follows the type of the same name in
/// the interface's description.
enum Wire {}
