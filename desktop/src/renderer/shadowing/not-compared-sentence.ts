/** Says why melody or rhythm was not compared with the model. */
import { t } from '@parley/i18n';
import type { NotCompared } from '@parley/domain';

const REASONS: Readonly<Record<NotCompared, string>> = {
  model_flat: t('Not measured: this model voice is too flat to be an example for this text.'),
  model_unclear: t('Not measured: the model voice couldn’t be matched to this text.'),
  too_short: t('Not measured: you and the model need at least five words in common.'),
  unvoiced: t('Not measured: there was too little speech to compare.'),
  not_scored: t('Not measured: your recording couldn’t be scored.'),
};

export const notComparedSentence = (why: NotCompared): string => REASONS[why];
