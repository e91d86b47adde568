/**
 * Errors that prevent a host from starting. They are thrown with a code for the shell, because there is no router yet
 * to return them.
 */

export const HOST_START_FAILURES = [
  'host.already_running',
  'storage.full',
  'storage.unreadable',
  /** The database was migrated by a newer version of the app. */
  'storage.newer',
] as const;
export type HostStartFailure = (typeof HOST_START_FAILURES)[number];

export class HostStartError extends Error {
  readonly code: HostStartFailure;

  constructor(code: HostStartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HostStartError';
    this.code = code;
  }
}
