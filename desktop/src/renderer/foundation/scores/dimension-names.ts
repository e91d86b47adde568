/** The names of a score's dimensions on screen, with the field's technical names. */
import { t } from '@parley/i18n';
import type { ScoreDimension } from '@parley/domain';

/** The order of the score field, whichever column is widest. */
export const DIMENSION_ORDER = [
  'accuracy',
  'prosody',
  'fluency',
  'completeness',
] as const satisfies readonly ScoreDimension[];

export const DIMENSION_NAMES: Record<ScoreDimension, string> = {
  accuracy: t('Sounds'),
  prosody: t('Melody'),
  fluency: t('Flow'),
  completeness: t('Completeness'),
};

export const TECHNICAL_NAMES: Record<ScoreDimension, string> = {
  accuracy: 'accuracy',
  prosody: 'prosody',
  fluency: 'fluency',
  completeness: 'completeness',
};

/** What each dimension measures, in a sentence. */
export const DIMENSION_MEANINGS: Record<ScoreDimension, string> = {
  accuracy: t('How clear each sound was.'),
  prosody: t('How your voice rose and fell, and which words you stressed.'),
  fluency: t('How steadily you spoke, and where you paused.'),
  completeness: t('How much of the sentence you said.'),
};

export const NOT_MEASURED_REASONS: Record<ScoreDimension, string> = {
  accuracy: t('Not measured: there was no usable recording.'),
  prosody: t('Not measured: it needs sentences of five words or more.'),
  fluency: t('Not measured: your turns were too short.'),
  completeness: t('Not measured: there was no text to compare with.'),
};
