import { alignVoices, type WordAssessment } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SentenceTracks } from './sentence-tracks.tsx';

const said = (words: readonly [word: string, startMs: number, endMs: number][]) => ({
  durationMs: 2_000,
  pitch: [],
  words: words.map(([word, startMs, endMs]): WordAssessment => ({
    word,
    startMs,
    endMs,
    accuracy: 80,
    error: 'None',
    phonemes: [],
  })),
});
const alignment = alignVoices(
  said([
    ['is', 100, 300],
    ['anything', 300, 900],
  ]),
  said([
    ['is', 1_000, 1_300],
    ['anything', 1_300, 1_700],
  ]),
);
const levels = { own: Array.from({ length: 100 }, () => 0.5), model: Array.from({ length: 100 }, () => 0.5) };

it('draws the learner above the model and shades the word at one place in both', () => {
  const html = renderToStaticMarkup(
    <SentenceTracks alignment={alignment} shaded={[1]} levels={levels} playing={null} onPlay={() => undefined} />,
  );
  expect(html.indexOf('Play your voice')).toBeLessThan(html.indexOf('Play the model'));
  const shades = html.match(/<rect[^>]*>/g) ?? [];
  expect(shades).toHaveLength(2);
  expect(shades[0]).toBe(shades[1]);
  expect(shades[0]).toContain(`x="${alignment.words[1]?.axisMs}"`);
  expect(shades[0]).toContain('width="');
});

it('offers to stop the voice that plays', () => {
  const html = renderToStaticMarkup(
    <SentenceTracks alignment={alignment} shaded={[]} levels={levels} playing="model" onPlay={() => undefined} />,
  );
  expect(html).toContain('aria-label="Stop"');
  expect(html).not.toContain('<rect');
});
