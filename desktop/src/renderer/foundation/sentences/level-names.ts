/** The display names of the English levels. */
import { t } from '@parley/i18n';
import type { EnglishLevel } from '@parley/domain';

export const LEVEL_NAMES: Record<EnglishLevel, string> = {
  beginner: t('Beginner'),
  intermediate: t('Intermediate'),
  advanced: t('Advanced'),
};
