// A program that asks through the broker imports only this library.
@_exported public import PermModel
