/** The app's own address, under which a custom protocol serves the renderer's files. */

export const APP_SCHEME = 'parley';
const APP_HOST = 'app';
export const APP_URL: string = `${APP_SCHEME}://${APP_HOST}/`;

/** Compares the parts, because Node gives every unknown scheme the origin "null". */
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
