/** The one address that is ours: the renderer's files, served by a protocol of the app itself. */

export const APP_SCHEME = 'parley';
const APP_HOST = 'app';
export const APP_URL: string = `${APP_SCHEME}://${APP_HOST}/`;

/** Compared by parts: to Node every scheme that it does not know has the origin "null". */
export function isAppUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return (
    url.protocol === `${APP_SCHEME}:` &&
    url.hostname === APP_HOST &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
  );
}
