/** The files of the public site other than its pages: a style sheet, the typefaces and pictures of the app. */
import { readFileSync } from 'node:fs';
import { type Asset, makeAsset, PRELOADED_TYPEFACES, TYPEFACE_STYLE, TYPEFACES } from '../../web/typefaces.ts';

/** Written by `npm run screenshots:site`, which knows the size of the pictures. */
type PictureName = 'conversation' | 'result';
export const PICTURE_SIZE = { width: 1_125, height: 825 } as const;

/** The theme comes first, because the others use its values. */
const STYLE_FILES = ['theme.css', 'site.css', 'sections.css', 'blog.css'] as const;

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
    return makeAsset(`${name}-${colours}`, 'webp', 'image/webp', readFileSync(file));
  };
  return { light: read('light'), dark: read('dark') };
}

const pathsOf = ({ light, dark }: Picture): { light: string; dark: string } => ({ light: light.path, dark: dark.path });

export function readSiteAssets(): SiteAssets {
  const css = [TYPEFACE_STYLE, ...STYLE_FILES.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))].join(
    '\n',
  );
  const style = makeAsset('style', 'css', 'text/css; charset=utf-8', Buffer.from(css));
  const [conversation, result] = [readPicture('conversation'), readPicture('result')];
  return {
    all: [style, ...TYPEFACES, ...Object.values(conversation), ...Object.values(result)],
    stylePath: style.path,
    fontPaths: PRELOADED_TYPEFACES,
    pictures: { conversation: pathsOf(conversation), result: pathsOf(result) },
  };
}
