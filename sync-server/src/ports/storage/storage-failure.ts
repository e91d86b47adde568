/** The service that holds the files refused a request or was not reached. The cause is the error of its client. */
export class StorageFailure extends Error {
  constructor(cause: unknown) {
    super('the storage for files cannot be used', { cause });
  }
}
