// Every program that asks also needs the conditions and queues of Operations, so one import provides both.
@_exported public import Operations
