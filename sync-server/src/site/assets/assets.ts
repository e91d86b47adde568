/** The files of the public site other than its pages: a style sheet, the typefaces and pictures of the app. */
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

/** Written by `npm run screenshots:site`, which knows the size of the pictures. */
type PictureName = 'conversation' | 'result';
export const PICTURE_SIZE = { width: 1_125, height: 825 } as const;

/** The theme comes first, because the others use its values. */
const STYLE_FILES = ['theme.css', 'site.css', 'sections.css', 'blog.css'] as const;

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
  /** The addresses of the pictures of the app, by colour scheme. */
  pictures: Readonly<Record<PictureName, { light: string; dark: string }>>;
}

type Picture = Readonly<Record<'light' | 'dark', Asset>>;

function readPicture(name: PictureName): Picture {
  const read = (colours: 'light' | 'dark'): Asset => {
    const file = new URL(`pictures/${name}-${colours}.webp`, import.meta.url);
    return named(`${name}-${colours}`, 'webp', 'image/webp', readFileSync(file));
  };
  return { light: read('light'), dark: read('dark') };
}

const pathsOf = ({ light, dark }: Picture): { light: string; dark: string } => ({ light: light.path, dark: dark.path });

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
  const [conversation, result] = [readPicture('conversation'), readPicture('result')];
  return {
    all: [style, ...fonts, ...Object.values(conversation), ...Object.values(result)],
    stylePath: style.path,
    fontPaths: [speech, ui].flatMap((font) => font?.path ?? []),
    pictures: { conversation: pathsOf(conversation), result: pathsOf(result) },
  };
}
