/** The names of the English levels, on their own and inside a sentence: German writes nouns with a capital letter there too. */
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
