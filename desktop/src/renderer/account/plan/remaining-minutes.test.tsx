import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import german from '../../../../../packages/i18n/src/locales/de.json' with { type: 'json' };
import { RemainingMinutes } from './remaining-minutes.tsx';

afterEach(() => activateLanguage(SOURCE_LANGUAGE, {}));

const RESETS_AT = '2026-12-29T12:00:00Z';
const PLUS = {
  plan: 'PLUS' as const,
  live: { allowedS: 3_600, leftS: 600 },
  calls: { allowedS: 600, leftS: 600 },
  resetsAt: RESETS_AT,
  subscription: null,
};

it('names the remaining minutes in the learner’s language', () => {
  activateLanguage('de', german);
  const account = { ...PLUS, calls: { allowedS: 600, leftS: 0 }, resetsAt: null };
  const html = renderToStaticMarkup(<RemainingMinutes account={account} />);
  expect(html).toContain('Live-Gespräche');
  expect(html).toContain('Davon Anrufe');
  expect(html).not.toMatch(/Live conversation|Calls included/);
});

it('says that a plan has no calls', () => {
  const html = renderToStaticMarkup(<RemainingMinutes account={{ ...PLUS, calls: { allowedS: 0, leftS: 0 } }} />);
  expect(html).toContain('Calls aren’t included in this plan.');
  expect(html).not.toContain('Calls included');
});

it.each([
  ['promises no new minutes to a plan that ends first', RESETS_AT, false],
  ['says when the minutes of a plan that ends later renew', '2027-03-29T12:00:00Z', true],
  ['says when the minutes of a plan that goes on renew', null, true],
])('%s', (_what, endsAt, isPromised) => {
  const html = renderToStaticMarkup(<RemainingMinutes account={{ ...PLUS, subscription: { endsAt } }} />);
  expect(html.includes('Your minutes renew on')).toBe(isPromised);
});

it('says when the free minutes renew after a plan has ended', () => {
  const account = { ...PLUS, plan: 'FREE' as const, subscription: { endsAt: '2026-11-01T12:00:00Z' } };
  expect(renderToStaticMarkup(<RemainingMinutes account={account} />)).toContain('Your minutes renew on');
});
