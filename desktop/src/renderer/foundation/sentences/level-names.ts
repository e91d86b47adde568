/** The names of the English levels, on their own and inside a sentence, where German still capitalises nouns. */
import { t } from '@parley/i18n';
import type { EnglishLevel } from '@parley/domain';

export const LEVEL_NAMES: Record<EnglishLevel, string> = {
  beginner: t('Beginner'),
  intermediate: t('Intermediate'),
  advanced: t('Advanced'),
};

export const LEVEL_NAMES_IN_SENTENCES: Record<EnglishLevel, string> = {
  beginner: t('beginner'),
  intermediate: t('intermediate'),
  advanced: t('advanced'),
};
