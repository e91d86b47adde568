import type { ComparedScore } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ComparedScores } from './compared-scores.tsx';

const measured = (score: number): ComparedScore => ({ score, whyNot: null });
const refused = (whyNot: Exclude<ComparedScore['whyNot'], null>): ComparedScore => ({ score: null, whyNot });
const textOf = (melody: ComparedScore, rhythm: ComparedScore): string =>
  renderToStaticMarkup(<ComparedScores comparison={{ melody, rhythm }} />);

it('shows both scores as numbers, and to screen readers too', () => {
  const html = textOf(measured(43.4), measured(92.6));
  expect(html).toContain('aria-label="Melody like the model: 43 of 100"');
  expect(html).toContain('aria-label="Rhythm like the model: 93 of 100"');
  expect(html).not.toContain('Not measured');
});

it('shows a dash when the model voice is flat, and gives a shared reason once', () => {
  const html = textOf(refused('model_flat'), refused('model_flat'));
  expect(html.match(/too flat to be an example/g)).toHaveLength(1);
  expect(html.match(/–/g)?.length).toBeGreaterThanOrEqual(2);
});

it('gives each dash its own reason', () => {
  expect(textOf(refused('unvoiced'), measured(87))).toMatch(
    /too little speech.*aria-label="Rhythm like the model: 87/s,
  );
});
