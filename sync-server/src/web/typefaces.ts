/** The typefaces of all pages, which the site serves from this server. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 12);

/** The address contains a hash of the content, so browsers may keep the file for a year. */
export const makeAsset = (name: string, ending: string, type: string, body: Buffer): Asset => ({
  path: `/site/${name}-${hashOf(body)}.${ending}`,
  type,
  body,
});

/** Node looks packages up from here; the built server keeps the same folders. */
const FONT_FOLDER = new URL('../../../node_modules/@fontsource-variable/', import.meta.url);

const readTypeface = (name: string, file: string): Asset =>
  makeAsset(name, 'woff2', 'font/woff2', readFileSync(new URL(file, FONT_FOLDER)));

const speech = readTypeface('speech', 'literata/files/literata-latin-opsz-normal.woff2');
const ui = readTypeface('ui', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2');
const ipa = readTypeface('ui-ipa', 'source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2');

export const TYPEFACES: readonly Asset[] = [speech, ui, ipa];
/** The typefaces that every page shows. */
export const PRELOADED_TYPEFACES: readonly string[] = [speech.path, ui.path];

const fontFace = (family: string, { path }: Asset, range = ''): string =>
  `@font-face { font-family: '${family}'; src: url('${path}') format('woff2'); font-weight: 200 900; font-display: swap;${range} }`;

export const TYPEFACE_STYLE: string = [
  fontFace('Literata Variable', speech),
  fontFace('Source Sans 3 Variable', ui),
  fontFace('Source Sans 3 Variable', ipa, ' unicode-range: U+0100-02FF, U+1D00-1DBF, U+1E00-1EFF, U+2C60-2C7F;'),
].join('\n');
