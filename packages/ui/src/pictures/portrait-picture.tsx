/** The portrait of a coach. */
import type { ReactElement } from 'react';
import { cached, isOwnDrawing } from './drawn-pictures.ts';
import { coachVoiceName, drawPortrait } from './portrait.ts';
import css from './pictures.module.css';

export interface PortraitProps {
  name: string;
  imageUrl: string;
  /** In pixels. */
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
