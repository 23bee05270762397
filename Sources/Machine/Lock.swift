#if PTHREAD_LOCK
  import Glibc

  /// A lock that guards a value and is recognized by the thread sanitizer.
  ///
  /// The sanitizer does not see the futex calls inside `Synchronization.Mutex`, so it would report false races.
  package struct Lock<Value: Sendable>: ~Copyable, @unchecked Sendable {
    // `mutex` protects `value`: after initialization, only `withLock` reads or writes `value`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initial: Value) {
      mutex = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initial)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    package borrowing func withLock<Result: Sendable, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#else
  public import Synchronization

  /// A lock that guards a value: only one thread at a time can be inside `withLock`.
  ///
  /// Inside `withLock`, never call code that was passed in from elsewhere, never resume a continuation, and never wait.
  ///
  /// The lock is public because the compiler specializes inlinable code in other modules only if it is public. Without
  /// that, the kernel takes half as long again. No product contains this module, so other packages do not see the lock.
  public struct Lock<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    public init(_ initial: Value) {
      mutex = Mutex(initial)
    }

    @inlinable
    public borrowing func withLock<Result: Sendable, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
        try body(&value)
      }
    }
  }
#endif
