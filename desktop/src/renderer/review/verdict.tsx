/**
 * The last recording's result for the sound that was weakest before, and for the one that is weakest now if the word is
 * not clear.
 */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { ReviewWord } from '@parley/contract';
import { formatScore, MutedText } from '@parley/ui';
import type { ReactElement } from 'react';
import { mouthHint } from '../foundation/sentences/mouth-hint.ts';
import { formatDay } from './format-day.ts';
import css from './review.module.css';
import { accuraciesBefore } from './sound-changes.ts';
import type { SpokenWord } from './review-progress.ts';

type ScoredWord = NonNullable<SpokenWord['word']>;

/** A sound at or above this accuracy is clear. */
const CLEAR_SOUND_FROM = 60;
/** A review of a word with at least this score is passed. */
const CLEAR_WORD_FROM = 80;

function findWorstSound({ before, worstPhonemes: [worst] }: ReviewWord, { phonemes }: ScoredWord) {
  const earlier = accuraciesBefore(phonemes, before?.phonemes ?? []);
  return phonemes
    .map((sound, index) => ({ ...sound, earlier: earlier[index] ?? null }))
    .filter(({ phoneme }) => phoneme === worst)
    .toSorted((a, b) => (a.earlier ?? 100) - (b.earlier ?? 100))[0];
}

type Sound = ScoredWord['phonemes'][number];

/** Undefined when every sound was clear. */
const weakestSound = ({ phonemes }: ScoredWord): Sound | undefined =>
  phonemes
    .filter(({ accuracy }) => accuracy !== null && accuracy < CLEAR_SOUND_FROM)
    .toSorted((a, b) => (a.accuracy ?? 0) - (b.accuracy ?? 0))[0];

export function Verdict({ card, word }: { card: ReviewWord; word: ScoredWord }): ReactElement {
  const sound = findWorstSound(card, word);
  const isWordClear = word.accuracy >= CLEAR_WORD_FROM;
  if (sound === undefined || sound.accuracy === null) return isWordClear ? <WordIsClear /> : <OnceMore />;
  const isClear = isClearSound(sound);
  const weakest = isClear && !isWordClear ? weakestSound(word) : undefined;
  return (
    <div>
      <SoundVerdict sound={sound} />
      {card.before !== null && sound.earlier !== null && (
        <MutedText>
          {t('It was {score} of 100 on {day}.', { score: formatScore(sound.earlier), day: formatDay(card.before.at) })}
        </MutedText>
      )}
      <MouthHint sound={sound} />
      {weakest !== undefined && (
        <>
          <SoundVerdict sound={weakest} />
          <MouthHint sound={weakest} />
        </>
      )}
      {isClear && !isWordClear && weakest === undefined && <OnceMore />}
    </div>
  );
}

const WordIsClear = (): ReactElement => <MutedText>{t('Clear. That’s how it should sound.')}</MutedText>;
const OnceMore = (): ReactElement => <MutedText>{t('Listen to the model, then say it once more.')}</MutedText>;

const isClearSound = ({ accuracy }: Sound): boolean => accuracy !== null && accuracy >= CLEAR_SOUND_FROM;

const SoundVerdict = ({ sound }: { sound: Sound }): ReactElement => (
  <p className={css['verdict']}>
    <SoundSentence
      phoneme={sound.phoneme}
      isClear={isClearSound(sound)}
      heardAs={sound.heardAs?.[0]?.phoneme ?? null}
    />
  </p>
);

function MouthHint({ sound }: { sound: Sound }): ReactElement | null {
  const hint = isClearSound(sound) ? null : mouthHint(sound.phoneme);
  return hint === null ? null : <MutedText>{hint}</MutedText>;
}

function SoundSentence(props: { phoneme: string; isClear: boolean; heardAs: string | null }): ReactElement {
  const { phoneme, isClear, heardAs } = props;
  const sign = <span className={css['ipaSign']} />;
  if (isClear) return <Trans id="Your <0>{phoneme}</0> is clear now." values={{ phoneme }} components={{ 0: sign }} />;
  if (heardAs === null)
    return <Trans id="Your <0>{phoneme}</0> isn’t clear yet." values={{ phoneme }} components={{ 0: sign }} />;
  return (
    <Trans
      id="Your <0>{phoneme}</0> came out as <1>{heardAs}</1>."
      values={{ phoneme, heardAs }}
      components={{ 0: sign, 1: sign }}
    />
  );
}
