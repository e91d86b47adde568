/** The files that the public site consists of besides its pages: one style sheet, the typefaces and a picture for link previews. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

/** Node looks packages up from here; the built server keeps the same folders. */
const FONT_FOLDER = new URL('../../../../node_modules/@fontsource-variable/', import.meta.url);

const FONTS = [
  { name: 'speech', file: 'literata/files/literata-latin-opsz-normal.woff2' },
  { name: 'ui', file: 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2' },
  { name: 'ui-ipa', file: 'source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2' },
] as const;

/** The theme comes first, because the others use its values. */
const STYLE_FILES = ['theme.css', 'site.css', 'blog.css'] as const;

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 12);

const named = (name: string, ending: string, type: string, body: Buffer): Asset => ({
  path: `/site/${name}-${hashOf(body)}.${ending}`,
  type,
  body,
});

export interface SiteAssets {
  all: readonly Asset[];
  /** The address of the style sheet changes with its content, so browsers may keep it for a year. */
  stylePath: string;
  fontPaths: readonly string[];
}

export function readSiteAssets(): SiteAssets {
  const fonts = FONTS.map(({ name, file }) =>
    named(name, 'woff2', 'font/woff2', readFileSync(new URL(file, FONT_FOLDER))),
  );
  const [speech, ui, ipa] = fonts;
  const css = STYLE_FILES.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n')
    .replace('SPEECH_FONT', speech?.path ?? '')
    .replace('UI_FONT', ui?.path ?? '')
    .replace('IPA_FONT', ipa?.path ?? '');
  const style = named('style', 'css', 'text/css; charset=utf-8', Buffer.from(css));
  return { all: [style, ...fonts], stylePath: style.path, fontPaths: [speech, ui].flatMap((font) => font?.path ?? []) };
}
