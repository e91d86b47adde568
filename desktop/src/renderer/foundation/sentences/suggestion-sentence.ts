/** Says why a practice is suggested. Its level and its minutes are shown beside it. */
import { t } from '@parley/i18n';
import type { SuggestionReason } from '@parley/contract';
import { explain } from '../language/explanations.tsx';
import { formatDate } from './format-date.ts';
import { LEVEL_NAMES_IN_SENTENCES } from './level-names.ts';

export function suggestionSentence(reason: SuggestionReason): string {
  switch (reason.code) {
    case 'first':
      return t('A good one to start with.');
    case 'new':
      return t('New to you.');
    case 'new_at_level':
      return t('New to you, and at your level.');
    case 'new_at_other_level':
      return t('You’ve practised everything at your level. This one is {name}.', {
        name: LEVEL_NAMES_IN_SENTENCES[reason.level],
      });
    case 'weak_sound':
      return t('New to you, with “{one}” and “{other}”: good for your {sound}.', {
        one: reason.words[0] ?? '',
        other: reason.words[1] ?? '',
        sound: `/${reason.sound}/`,
      });
    case 'industry':
      return t('New to you, and close to your work: {industry}.', { industry: explain(reason.industry).text });
    case 'improve':
      return t('Your best score here is {bestScore}. Another try can raise it.', { bestScore: reason.bestScore });
    case 'again':
      return t('You’ve practised everything. You last did this one on {date}.', {
        date: formatDate(reason.lastAt.toISOString()),
      });
  }
}
