// Re-exported, because a program that asks through the broker should need to import only this library.
@_exported public import PermModel
