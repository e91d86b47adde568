import { i18n } from '@parley/i18n';
import { I18nProvider } from '@lingui/react';
import type { ProgressSound, ProgressTrend, ProgressView } from '@parley/contract';
import { SessionId } from '@parley/domain';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { headlineOf, mostImprovedSound } from './headline.ts';
import { ProgressDetails } from './progress-details.tsx';

const sessionId = (index: number): SessionId =>
  SessionId.parse(`019aa000-0000-7000-8000-${String(index).padStart(12, '0')}`);

const NOT_MEASURED: ProgressTrend = { points: [], inRange: 0, measured: 0, latest: null, began: null };

const aTrend = (scores: readonly number[], change: Partial<ProgressTrend> = {}): ProgressTrend => ({
  points: scores.map((score, index) => ({
    sessionId: sessionId(index),
    at: new Date(Date.UTC(2026, 10, 1 + index)),
    score,
    mean: score,
  })),
  inRange: scores.length,
  measured: scores.length,
  latest: scores.at(-1) ?? null,
  began: null,
  ...change,
});

const aSound = (change: Partial<ProgressSound> = {}): ProgressSound => ({
  sound: 'θ',
  accuracy: 47,
  attempts: 31,
  total: 112,
  began: null,
  examples: ['think'],
  ...change,
});

const aView = (change: Partial<ProgressView> = {}): ProgressView => ({
  totals: { practices: 1, minutes: 9, wordsLearned: 0, since: '2026-11-18' },
  today: '2026-11-18',
  trends: { accuracy: NOT_MEASURED, fluency: NOT_MEASURED, prosody: NOT_MEASURED, completeness: NOT_MEASURED },
  sounds: [],
  days: [{ day: '2026-11-18', minutes: 9, words: 40, isPractised: true }],
  weeks: [{ monday: '2026-11-16', minutes: 9, wordsLearned: 0 }],
  level: 'intermediate',
  ...change,
});

const render = (view: ProgressView, { isTable = false } = {}): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <I18nProvider i18n={i18n}>
        <ProgressDetails
          view={view}
          isTable={isTable}
          readSessions={async () => []}
          sessionsTable={null}
          levelSuggestion={null}
        />
      </I18nProvider>
    </QueryClientProvider>,
  );

const count = (html: string, part: string): number => html.split(part).length - 1;

describe('the Progress screen', () => {
  it('explains what will appear before the first practice', () => {
    const html = render(aView({ totals: { practices: 0, minutes: 0, wordsLearned: 0, since: null } }));
    expect(html).toContain('Nothing to show yet');
    expect(html).not.toContain('role="img"');
  });

  it('shows one session as a point that opens it, without a line or a comparison', () => {
    const html = render(aView({ trends: { ...aView().trends, accuracy: aTrend([74]) } }));
    expect(html).toContain(`href="#/session/${sessionId(0)}/result"`);
    expect(html).toContain('Sounds, recent score: 74 of 100');
    expect(html).not.toContain('_line_');
    expect(html).toContain('1 spoken practice so far. 2 more, and you’ll see a trend line here.');
  });

  it('shows a dash and no zero for what was not measured', () => {
    const html = render(aView());
    expect(html).toContain('Melody, recent score: not measured');
    expect(count(html, 'Not measured yet')).toBe(4);
    expect(html).not.toContain('>0<');
  });

  it('draws a line and says how many of many sessions are points', () => {
    const trend = aTrend([50, 60, 70, 80], { inRange: 5_000, measured: 6_000, began: 52, latest: 78 });
    const html = render(aView({ trends: { ...aView().trends, accuracy: trend } }));
    expect(html).toContain('_line_');
    expect(html).toContain('4 of 5,000 practices are shown as points');
    expect(html).toContain('Sounds: up 26 points since you started.');
    // One tab stop for each plot; the arrow keys move between its points.
    expect(html.match(/<a [^>]*tabindex="0"/g)).toHaveLength(1);
  });

  it('distinguishes a time without practice from something never measured', () => {
    const trend = aTrend([], { measured: 4, latest: 71 });
    const html = render(aView({ trends: { ...aView().trends, accuracy: trend } }));
    expect(html).toContain('4 spoken practices so far. After 10, you’ll see how far you’ve come.');
    expect(count(html, 'Not measured in this period')).toBe(1);
    expect(count(html, 'Not measured yet')).toBe(3);
    expect(html).not.toContain('are shown as points');
  });

  it('says on how many attempts the score of a sound is based', () => {
    const html = render(aView({ sounds: [aSound({ began: 30 })] }));
    expect(html).toContain('31 times');
    expect(html).toContain('_tick_');
    expect(html).toMatch(/You’ve improved most on <span[^>]*>θ<\/span>, as in <em[^>]*>think<\/em>/);
  });

  it('gives the same numbers as tables', () => {
    const html = render(aView({ sounds: [aSound()] }), { isTable: true });
    expect(html).not.toContain('<svg');
    expect(count(html, '<table')).toBe(3);
    expect(html).toContain('<td>112</td>');
    expect(html).toContain('aria-label="not measured"');
  });
});

describe('the headline', () => {
  const trends = (change: Partial<ProgressView['trends']>) => ({ trends: { ...aView().trends, ...change } });

  it('names the dimension that moved most, up before down', () => {
    const up = aTrend([1], { latest: 80, began: 70 });
    const down = aTrend([1], { latest: 60, began: 90 });
    expect(headlineOf(trends({ fluency: up, accuracy: down }))).toEqual({
      kind: 'moved',
      dimension: 'fluency',
      points: 10,
    });
    expect(headlineOf(trends({ accuracy: down }))).toMatchObject({ kind: 'moved', points: -30 });
    expect(headlineOf(trends({ accuracy: aTrend([1], { latest: 71, began: 70 }) }))).toEqual({ kind: 'steady' });
  });

  it('counts the points between the means as the plot shows them', () => {
    expect(headlineOf(trends({ accuracy: aTrend([1], { latest: 74.4, began: 70.5 }) }))).toMatchObject({ points: 3 });
  });

  it('names no sound that has not clearly improved', () => {
    expect(mostImprovedSound([aSound(), aSound({ began: 45 })])).toBeNull();
    expect(mostImprovedSound([aSound({ began: 45 }), aSound({ sound: 'ð', began: 20 })])?.sound).toBe('ð');
  });
});

describe('the sounds', () => {
  it('shows a common word for a sound that never went wrong', () => {
    const view = aView({ sounds: [aSound(), aSound({ sound: 'v', accuracy: 96, examples: [] })] });
    expect(render(view)).toContain('>very</text>');
    expect(render(view)).toContain('>think</text>');
  });

  it.each([
    ['to work on', aSound({ accuracy: 47 })],
    ['all clear', aSound({ accuracy: 99 })],
    ['too few to judge', aSound({ accuracy: 47, attempts: 2 })],
  ])('are called sounds to work on only when one is weak: %s', (what, sound) => {
    const title = what === 'to work on' ? 'Sounds to work on' : 'Your sounds';
    expect(render(aView({ sounds: [sound] }))).toContain(`${title}</h2>`);
  });
});
