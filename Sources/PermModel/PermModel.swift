// Every program that asks for permission also needs the conditions and queues of Operations. Therefore, importing this
// module also imports Operations.
@_exported public import Operations
