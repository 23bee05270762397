// Re-exported, so that a program that asks through the broker needs to import only this library.
@_exported public import PermModel
