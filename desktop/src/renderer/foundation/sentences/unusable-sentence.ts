/** Says why a recording could not be scored, and what to do. */
import { t } from '@parley/i18n';
import type { UnusableCause, UnusableReason } from '@parley/domain';

const SENTENCE_BY_REASON: Record<UnusableReason, string> = {
  silent: t('We couldn’t hear you. Check that the right microphone is selected and not muted, then say it again.'),
  clipped: t(
    'Too loud to score: the loud parts were cut off. Move a little away from the microphone and say it again.',
  ),
  noisy: t('Too noisy to score fairly. Close the window or put on a headset, then say it again.'),
  too_short: t('That was too short. Say the whole sentence, up to its last word. There’s no hurry.'),
  not_the_text: t('We heard something else. Say this sentence again.'),
};

const SENTENCE_BY_CAUSE: Record<Exclude<UnusableCause, 'free_speech'>, string> = {
  too_quiet: t('Too quiet to score. Come closer to the microphone, then say it again.'),
  first_part: t('Only the first part was heard. Say the whole sentence, up to its last word.'),
};

/** Free speech has no text to repeat, so nothing has to be said again. */
const FREE_SPEECH_SENTENCES: Partial<Record<UnusableReason, string>> = {
  not_the_text: t('The recording and these words don’t match well enough to score them fairly, so there is no score.'),
  too_short: t('That was too short to score fairly, so there is no score.'),
};

export function unusableSentence({
  reason,
  cause,
}: {
  reason: UnusableReason;
  cause?: UnusableCause | undefined;
}): string {
  if (cause === 'free_speech') return FREE_SPEECH_SENTENCES[reason] ?? SENTENCE_BY_REASON[reason];
  return cause === undefined ? SENTENCE_BY_REASON[reason] : SENTENCE_BY_CAUSE[cause];
}
