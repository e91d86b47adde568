/** The cover of a practice. */
import type { ReactElement } from 'react';
import { type CoverSource, drawCover } from './cover.ts';
import { cached, isOwnDrawing } from './drawn-pictures.ts';
import css from './pictures.module.css';

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
