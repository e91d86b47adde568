/** Covers and portraits, drawn here from their words so that they follow the theme. A school's own pictures are shown as they are. */
import type { CSSProperties, ReactElement } from 'react';
import { type CoverSource, drawCover } from './cover.ts';
import { coachVoiceName, drawPortrait } from './portrait.ts';
import css from './pictures.module.css';

const toDataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const cache = new Map<string, string>();
function cached(key: string, draw: () => string): string {
  const known = cache.get(key) ?? toDataUrl(draw());
  cache.set(key, known);
  return known;
}

/** The pictures of the starter catalogue are drawings; only these are replaced. */
const isOwnDrawing = (url: string): boolean => url === '' || url.startsWith('data:image/svg+xml');

export function Cover({ imageUrl, source }: { imageUrl: string; source: CoverSource }): ReactElement {
  if (!isOwnDrawing(imageUrl)) return <img className={css['cover']} src={imageUrl} alt="" loading="lazy" />;
  const key = `${source.title}|${source.category}|${source.level}`;
  return (
    <span className={css['cover']} aria-hidden="true">
      <img className={css['light']} src={cached(`light|${key}`, () => drawCover(source, 'light'))} alt="" />
      <img className={css['dark']} src={cached(`dark|${key}`, () => drawCover(source, 'dark'))} alt="" />
    </span>
  );
}

export interface PortraitProps {
  name: string;
  imageUrl: string;
  size?: number;
  /** A square fills its column; it is meant for the Coach screen only. */
  isSquare?: boolean;
}

export function Portrait({ name, imageUrl, size = 40, isSquare = false }: PortraitProps): ReactElement {
  const voice = isOwnDrawing(imageUrl) ? coachVoiceName(name) : null;
  const src = voice === null ? imageUrl : cached(`portrait|${voice}`, () => drawPortrait(voice));
  if (isSquare) return <img className={css['square']} src={src} alt="" />;
  return <img className={css['round']} src={src} alt="" width={size} height={size} />;
}

/** Sets `--voice` to the coach's colour, which is used for their name, wave and spoken words only. */
/** The colours of a call with this coach: its dark ground, and the coach's voice on it. */
export const callColors = (name: string): CSSProperties & Record<'--voice' | '--call', string> => {
  const voice = coachVoiceName(name);
  return voice === null
    ? { '--voice': 'var(--night-900)', '--call': 'var(--night-50)' }
    : { '--voice': `var(--on-call-${voice})`, '--call': `var(--call-${voice})` };
};

export const coachColor = (name: string): CSSProperties & Record<'--voice', string> => {
  const voice = coachVoiceName(name);
  return { '--voice': voice === null ? 'var(--text)' : `var(--voice-${voice})` };
};
