/** The preview picture for links to a post or to the site: a PNG of the usual size, whatever the cover is. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { measurePicture } from '../../media/index.ts';
import { html } from '../../web/html.ts';
import { createPictureDrawer, type PictureDrawer } from './draw-pictures.ts';
import { titlePicture } from './title-picture.ts';

/** In pixels. A list shows covers in columns, on screens with two pixels per CSS pixel. */
export const PICTURE_WIDTHS = { large: 1_200, small: 600 } as const;
export type PictureSize = keyof typeof PICTURE_WIDTHS;

const MAX_SVG_CHARACTERS = 300_000;
const SVG_ADDRESS = /^data:image\/svg\+xml(?:;(?:charset=)?utf-?8)?(;base64)?,/i;
const PHOTO_ADDRESS = /^data:image\/(?:png|jpeg|webp|gif);base64,/;
const WEBP_PREFIX = 'data:image/webp;base64,';

/** The logo, PAR-ley with a bar and a dot, in the colours of the page. */
const SITE_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="#fbfaf7"/><g stroke-linecap="round" stroke-width="60" stroke="#2f49c9"><path d="M380 215v200M500 315v1"/></g><g stroke-linecap="round" stroke-width="60" stroke="#1c6653" opacity=".85"><path d="M640 255v120M760 205v220M880 315v1"/></g></svg>`;

export interface CoverPicture {
  type: string;
  body: Buffer;
  /** False while so many pictures are being drawn that this one has to be requested again later. */
  isFinal: boolean;
}

export interface PicturedPost {
  title: string;
  /** A `data:` address; null for none. */
  coverImage: string | null;
}

export interface CoverPictures {
  /** The title replaces a cover that is missing or cannot be drawn. Null asks for the site's picture. */
  read: (post: (PicturedPost & { school: string }) | null, size?: PictureSize) => Promise<CoverPicture>;
  close: () => Promise<void>;
}

export function createCoverPictures(drawer: PictureDrawer = createPictureDrawer()): CoverPictures {
  /** The cached value of a failed drawing is null, so that a bad picture hits its time limit only once. */
  const drawings = new LRUCache<string, { png: Buffer | null }>({
    maxSize: 32 * 1_024 ** 2,
    sizeCalculation: ({ png }) => png?.byteLength ?? 1,
  });
  const inProgress = new Map<string, Promise<Buffer | null | 'busy'>>();

  async function draw(key: string, svg: string, width: number): Promise<Buffer | null | 'busy'> {
    const drawn = await drawer.draw(svg, width);
    if (drawn === 'busy') return 'busy';
    const png = drawn === 'undrawable' ? null : drawn;
    drawings.set(key, { png });
    return png;
  }

  /** Simultaneous requests for a picture share one drawing. */
  async function toPng(svg: string, size: PictureSize): Promise<Buffer | null | 'busy'> {
    const key = `${size} ${createHash('sha256').update(svg).digest('base64url')}`;
    const known = drawings.get(key);
    if (known !== undefined) return known.png;
    const drawing = inProgress.get(key) ?? draw(key, svg, PICTURE_WIDTHS[size]).finally(() => inProgress.delete(key));
    inProgress.set(key, drawing);
    return drawing;
  }

  return {
    async read(post, size = 'large') {
      const drawings = [
        readSvg(post?.coverImage ?? null) ?? (await photoAsSvg(post?.coverImage ?? null)),
        post === null ? null : titlePicture(post.title, post.school),
        SITE_PICTURE,
      ].filter((svg) => svg !== null);
      let isFinal = true;
      for (const svg of drawings) {
        const drawn = await toPng(svg, size);
        if (Buffer.isBuffer(drawn)) return { type: 'image/png', body: drawn, isFinal };
        isFinal &&= drawn !== 'busy';
        // The library cannot decode WebP, which earlier versions of the panel stored. Browsers can.
        const photo = drawn === null ? readWebp(post?.coverImage ?? null) : null;
        if (photo !== null) return photo;
      }
      return { type: 'image/png', body: Buffer.alloc(0), isFinal: false };
    },
    close: () => drawer.close(),
  };
}

function readSvg(address: string | null): string | null {
  if (address === null || address.length > MAX_SVG_CHARACTERS) return null;
  const prefix = SVG_ADDRESS.exec(address);
  if (prefix === null) return null;
  const data = address.slice(prefix[0].length);
  if (prefix[1] !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  try {
    return decodeURIComponent(data);
  } catch {
    // The percent sign begins no valid escape: the picture is damaged.
    return null;
  }
}

async function photoAsSvg(address: string | null): Promise<string | null> {
  if (address === null || !PHOTO_ADDRESS.test(address)) return null;
  // The library would unpack a small file of any dimensions to gigabytes.
  if ((await measurePicture(Buffer.from(address.slice(address.indexOf(',')), 'base64'))) === null) return null;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
    <image href="${address}" width="1200" height="630" preserveAspectRatio="xMidYMid slice" />
  </svg>`.text;
}

function readWebp(address: string | null): CoverPicture | null {
  if (address === null || !address.startsWith(WEBP_PREFIX)) return null;
  return { type: 'image/webp', body: Buffer.from(address.slice(WEBP_PREFIX.length), 'base64'), isFinal: true };
}
