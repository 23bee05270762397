// Every program that asks for permission also needs the conditions and queues of Operations. Importing this
// module therefore provides both.
@_exported public import Operations
