/** The server that this build ships with, set by `PARLEY_DEFAULT_SERVER_URL` at build time. Our own build sets none. */

/** Defined by the bundler; the name does not exist without it. */
declare const BUILT_SERVER_URL: string | null | undefined;

export const buildServerUrl = (): string | null =>
  typeof BUILT_SERVER_URL === 'undefined' ? null : (BUILT_SERVER_URL ?? null);
