/**
 * Explains a practice (its scene, tasks and coach) in the learner's language, if the starter catalogue has a
 * translation. Texts that a school has written or edited match none and are shown unchanged; the English that is
 * practised is never looked up.
 */
import { type Catalogue, formatLocale, i18n, PSEUDO_CATALOGUE, PSEUDO_LANGUAGE } from '@parley/i18n';
import { renameCoach } from '@parley/domain';
import type { Option } from '@parley/ui';
import type { ReactElement } from 'react';

/** Stands for the coach's name in keys and translations, because another coach may play the practice. */
const COACH = '{coach}';

const FILE_START = '../../../../../packages/catalogue/translations/explanations-';
const loads = import.meta.glob<Catalogue>('../../../../../packages/catalogue/translations/explanations-*.json', {
  import: 'default',
});

async function loadTranslations(): Promise<Catalogue> {
  if (i18n.locale === PSEUDO_LANGUAGE) return PSEUDO_CATALOGUE;
  try {
    return (await loads[`${FILE_START}${i18n.locale}.json`]?.()) ?? {};
  } catch {
    // The screen is usable in English, and the next start tries to load them again.
    return {};
  }
}

/** Loaded together with the screens that show them, after the language has started and the frame has been painted. */
const translations = await loadTranslations();

export interface ExplainedText {
  text: string;
  /** Undefined when the text is in the language of the window. */
  lang: 'en' | undefined;
}

export function explain(english: string, coachName = ''): ExplainedText {
  const template = Object.hasOwn(translations, english) ? english : renameCoach(english, coachName, COACH);
  const translation = Object.hasOwn(translations, template) ? translations[template] : undefined;
  return translation === undefined
    ? { text: english, lang: 'en' }
    : { text: translation.replaceAll(COACH, () => coachName), lang: undefined };
}

export function Explanation({ english, coachName }: { english: string; coachName?: string }): ReactElement {
  const { text, lang } = explain(english, coachName);
  return <span lang={lang}>{text}</span>;
}

export const explainObjectives = <Objective extends { description: string }>(
  objectives: readonly Objective[],
): (Objective & ExplainedObjective)[] =>
  objectives.map((objective) => {
    const { text, lang } = explain(objective.description);
    return { ...objective, description: text, lang };
  });

interface ExplainedObjective {
  description: string;
  lang: ExplainedText['lang'];
}

/** Options whose names come from the catalogue, sorted by the learner's alphabet. */
export const explainOptions = (options: readonly Option<string>[]): Option<string>[] =>
  options
    .map(({ value, label }) => ({ value, label: explain(label).text }))
    .toSorted((one, other) => one.label.localeCompare(other.label, formatLocale()));
