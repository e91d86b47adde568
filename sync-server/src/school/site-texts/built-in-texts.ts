/** Parley's own texts of the public site, in every language of its pages. */
import { readFile } from 'node:fs/promises';
import type { SiteTextName, SiteTextPlace } from '@parley/contract';
import type { Localizer } from '@parley/i18n';
import { localizerFor } from '../../localization/index.ts';

type LandingTextName = Extract<SiteTextName, 'headline' | 'introduction'>;

export const builtInLandingTexts = ({ t }: Pick<Localizer, 't'>): Record<LandingTextName, string> => ({
  headline: t('Practise the conversation before you have it.'),
  introduction: t(
    'A late delivery, a first interview, a call on a bad line. In Parley you say it out loud, a coach answers in character, and you find out which words to work on.',
  ),
});

export async function readBuiltInText({ name, language }: SiteTextPlace): Promise<string> {
  if (name === 'headline' || name === 'introduction') return builtInLandingTexts(localizerFor(language))[name];
  return readFile(new URL(`texts/${name}.${language}.md`, import.meta.url), 'utf8');
}
