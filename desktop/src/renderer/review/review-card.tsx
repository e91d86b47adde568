/** One card: the word with its weak sound, its sentence, the voices, and what the last recording showed. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { ReviewWord } from '@parley/contract';
import { listedSpelling } from '@parley/domain';
import { Banner, MutedText, PhonemeStrip } from '@parley/ui';
import type { ReactElement } from 'react';
import { unusableSentence } from '../foundation/sentences/unusable-sentence.ts';
import css from './review.module.css';
import type { ReviewStage } from './review-stages.ts';
import type { SpokenWord } from './use-review.ts';
import { Voices } from './voices.tsx';

/** A sound at or above this accuracy is clear. */
const CLEAR_FROM = 60;

export function ReviewCardView(props: {
  card: ReviewWord;
  stage: ReviewStage;
  spoken: SpokenWord | null;
}): ReactElement {
  const { card, stage, spoken } = props;
  const unusable = spoken?.attempt.assessment.unusable;
  const word = spoken?.word ?? null;
  return (
    <div className={css['card']}>
      <div className={css['head']}>
        <div>
          <h1 className={css['word']} lang="en">
            {card.word}
          </h1>
          {card.ipa !== '' && <Ipa ipa={card.ipa} weak={card.worstPhonemes} />}
        </div>
        {card.sentence !== null && <Sentence sentence={card.sentence} word={card.word} />}
      </div>
      {stage.name !== 'word' && (
        <p className={css['say']} lang="en">
          {stage.text}
        </p>
      )}
      <Voices
        text={stage.text}
        best={card.best}
        latest={card.latest}
        justSaid={word === null || spoken === null ? null : { ...word, recordingId: spoken.attempt.recordingId }}
      />
      {unusable !== undefined && <Banner tone="warn">{unusableSentence(unusable)}</Banner>}
      {spoken !== null && unusable === undefined && word === null && (
        <Banner tone="warn">{t('The word wasn’t in the recording. Say “{text}” again.', { text: stage.text })}</Banner>
      )}
      {word !== null && (
        <div className={css['outcome']} role="status">
          <PhonemeStrip phonemes={word.phonemes} />
          <Verdict card={card} word={word} />
        </div>
      )}
    </div>
  );
}

/** Splits at the first weak sound, which is underlined twice. */
function Ipa({ ipa, weak }: { ipa: string; weak: readonly string[] }): ReactElement {
  const [worst = ''] = weak;
  const at = worst === '' ? -1 : ipa.indexOf(worst);
  return (
    <p className={css['ipa']}>
      /{at === -1 ? ipa : ipa.slice(0, at)}
      {at !== -1 && <b className={css['weakSound']}>{worst}</b>}
      {at !== -1 && ipa.slice(at + worst.length)}/
    </p>
  );
}

function Sentence({ sentence, word }: { sentence: string; word: string }): ReactElement {
  return (
    <p className={css['sentence']} lang="en">
      {sentence.split(/(\s+)/).map((part, index) => (
        // Words of a sentence keep their places.
        <span key={index} data-word={listedSpelling(part) === word}>
          {part}
        </span>
      ))}
    </p>
  );
}

function Verdict({ card, word }: { card: ReviewWord; word: NonNullable<SpokenWord['word']> }): ReactElement {
  const [worst] = card.worstPhonemes;
  const sound = word.phonemes.find(({ phoneme }) => phoneme === worst);
  const score = Math.round(word.accuracy);
  if (sound === undefined || sound.accuracy === null)
    return (
      <MutedText>
        {score >= 80 ? t('Clear. That’s how it should sound.') : t('Listen to the model, then say it once more.')}
      </MutedText>
    );
  const heardAs = sound.heardAs?.[0]?.phoneme;
  if (sound.accuracy >= CLEAR_FROM)
    return (
      <p className={css['verdict']}>
        <Trans
          id="Your <0>{phoneme}</0> is clear now."
          values={{ phoneme: sound.phoneme }}
          components={{ 0: <span className={css['ipaSign']} /> }}
        />
      </p>
    );
  return (
    <p className={css['verdict']}>
      {heardAs === undefined ? (
        <>
          <Trans
            id="Your <0>{phoneme}</0> isn’t clear yet."
            values={{ phoneme: sound.phoneme }}
            components={{ 0: <span className={css['ipaSign']} /> }}
          />
        </>
      ) : (
        <>
          <Trans
            id="Your <0>{phoneme}</0> came out as <1>{heardAs}</1>."
            values={{ phoneme: sound.phoneme, heardAs }}
            components={{ 0: <span className={css['ipaSign']} />, 1: <span className={css['ipaSign']} /> }}
          />
        </>
      )}
    </p>
  );
}
