import { PSEUDO_LANGUAGE, SOURCE_LANGUAGE } from '@parley/i18n';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';

/** Other test files share the modules, and are in English. */
afterEach(async () => {
  (await import('@parley/i18n')).activateLanguage(SOURCE_LANGUAGE, {});
  vi.resetModules();
});

/** Loads the module after the language has started, as a screen does. */
async function explanationsIn(language: string): Promise<typeof import('./explanations.tsx')> {
  vi.resetModules();
  const { activateLanguage, PSEUDO_CATALOGUE } = await import('@parley/i18n');
  activateLanguage(language, language === PSEUDO_LANGUAGE ? PSEUDO_CATALOGUE : {});
  return import('./explanations.tsx');
}

const SCENE = 'You cannot open an important file, and your meeting begins in an hour. Tom sits at the next desk.';

it('explains in the learner’s language, and names the coach who plays', async () => {
  const { explain } = await explanationsIn('de');
  const german = 'Du kannst eine wichtige Datei nicht öffnen, und deine Besprechung beginnt in einer Stunde. ';
  expect(explain(SCENE, 'Tom')).toEqual({ text: `${german}Tom sitzt am Tisch neben dir.`, lang: undefined });
  expect(explain(SCENE.replace('Tom', 'Zoë'), 'Zoë').text).toBe(`${german}Zoë sitzt am Tisch neben dir.`);
  expect(explain('Say thank you')).toEqual({ text: 'Danke sagen', lang: undefined });
});

it('shows texts that a school has written or edited as they are, marked as English', async () => {
  const { explain, Explanation } = await explanationsIn('de');
  expect(explain(`${SCENE} Hurry.`, 'Tom')).toEqual({ text: `${SCENE} Hurry.`, lang: 'en' });
  expect(explain('constructor')).toEqual({ text: 'constructor', lang: 'en' });
  expect(renderToStaticMarkup(<Explanation english="Our own task" />)).toBe('<span lang="en">Our own task</span>');
  expect(renderToStaticMarkup(<Explanation english="Say thank you" />)).toBe('<span>Danke sagen</span>');
});

it('shows a learner whose language is English the English', async () => {
  const { explain } = await explanationsIn(SOURCE_LANGUAGE);
  expect(explain(SCENE, 'Tom')).toEqual({ text: SCENE, lang: 'en' });
});

it('lengthens explanations in the pseudo language', async () => {
  const { explain } = await explanationsIn(PSEUDO_LANGUAGE);
  expect(explain(SCENE, 'Tom').text.length).toBeGreaterThan(SCENE.length * 1.7);
});

it('lists options in the order of the learner’s alphabet', async () => {
  const { explainOptions } = await explanationsIn('de');
  const options = ['Travel', 'Clients', 'Our own'].map((name) => ({ value: name, label: name }));
  expect(explainOptions(options)).toEqual([
    { value: 'Clients', label: 'Kunden' },
    { value: 'Our own', label: 'Our own' },
    { value: 'Travel', label: 'Reisen' },
  ]);
});
