/** The server that this build of the app came with: `PARLEY_DEFAULT_SERVER_URL` when it was built. Our own build names none. */

/** Put in by the bundler; without one there is no such name. */
declare const BUILT_SERVER_URL: string | null | undefined;

export const builtServerUrl = (): string | null =>
  typeof BUILT_SERVER_URL === 'undefined' ? null : (BUILT_SERVER_URL ?? null);
