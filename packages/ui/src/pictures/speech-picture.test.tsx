import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeechPicture } from './speech-picture.tsx';

it('draws a dot for silence and a bar for a voice', () => {
  const bars = (html: string): string[] => [...html.matchAll(/v([\d.]+)/g)].map(([, height]) => height ?? '');
  expect(bars(renderToStaticMarkup(<SpeechPicture name="silence" />))).toEqual(Array.from({ length: 12 }, () => '0.1'));
  expect(bars(renderToStaticMarkup(<SpeechPicture name="too_short" />)).slice(0, 3)).toEqual(['18', '34', '0.1']);
});
