import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import german from '../../../../../packages/i18n/src/locales/de.json' with { type: 'json' };
import { RemainingMinutes } from './remaining-minutes.tsx';

afterEach(() => activateLanguage(SOURCE_LANGUAGE, {}));

it('names the remaining minutes in the learner’s language', () => {
  activateLanguage('de', german);
  const account = { live: { allowedS: 3_600, leftS: 600 }, calls: { allowedS: 0, leftS: 0 }, resetsAt: null };
  const html = renderToStaticMarkup(<RemainingMinutes account={account} />);
  expect(html).toContain('Live-Gespräche');
  expect(html).toContain('Davon Anrufe');
  expect(html).not.toMatch(/Live conversation|Calls included/);
});
