/** Why an export cannot be imported. */
export type ImportFailure = 'import.not_an_export' | 'import.damaged' | 'import.newer_version' | 'import.too_large';

/** Thrown and caught while one file is being read. */
export class Unreadable extends Error {
  readonly failure: ImportFailure;
  constructor(failure: ImportFailure) {
    super(failure);
    this.failure = failure;
  }
}
