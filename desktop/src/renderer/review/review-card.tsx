/** One card: the word with its weak sound, its sentence, the voices, and what the last recording showed. */
import { t } from '@parley/i18n';
import type { ReviewWord } from '@parley/contract';
import { findWord } from '@parley/domain';
import { Banner, PhonemeStrip, typographic } from '@parley/ui';
import { type ReactElement, useEffect, useRef } from 'react';
import { UnusableNotice } from '../foundation/screen/unusable-notice.tsx';
import css from './review.module.css';
import type { ReviewStage } from './review-stages.ts';
import { accuraciesBefore, type IpaPart, markWeakSounds } from './sound-changes.ts';
import type { SpokenWord } from './review-progress.ts';
import { Verdict } from './verdict.tsx';
import { Voices } from './voices.tsx';

export function ReviewCardView(props: {
  card: ReviewWord;
  stage: ReviewStage;
  spoken: SpokenWord | null;
  onChooseMicrophone: () => void;
}): ReactElement {
  const { card, stage, spoken, onChooseMicrophone } = props;
  const unusable = spoken?.attempt.assessment.unusable;
  const word = spoken?.word ?? null;
  const soundsBefore = card.before?.phonemes ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  // Each card acts like a screen of its own: its word is announced, and the keys that grade it work, as they do after
  // each recording.
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (spoken !== null) heading.current?.focus();
  }, [spoken]);
  return (
    <div className={css['card']}>
      <div className={css['head']}>
        <div>
          <h1 className={css['word']} lang="en" ref={heading} tabIndex={-1}>
            {typographic(card.word)}
          </h1>
          {card.ipa !== '' && <Ipa parts={markWeakSounds(card.ipa, soundsBefore, card.worstPhonemes[0])} />}
        </div>
        {card.sentence !== null && <Sentence sentence={card.sentence} word={card.word} />}
      </div>
      {stage.name !== 'word' && (
        <p className={css['say']} lang="en">
          {typographic(stage.text)}
        </p>
      )}
      <Voices
        text={stage.text}
        best={card.best}
        latest={card.latest}
        justSaid={word === null || spoken === null ? null : { ...word, recordingId: spoken.attempt.recordingId }}
      />
      {unusable !== undefined && <UnusableNotice problem={unusable} onChooseMicrophone={onChooseMicrophone} />}
      {spoken !== null && unusable === undefined && word === null && (
        <Banner tone="warn">
          {t('The word wasn’t in the recording. Say “{text}” again.', { text: typographic(stage.text) })}
        </Banner>
      )}
      {word !== null && (
        <div className={css['outcome']} role="status">
          <PhonemeStrip phonemes={word.phonemes} before={accuraciesBefore(word.phonemes, soundsBefore)} />
          <Verdict card={card} word={word} />
        </div>
      )}
    </div>
  );
}

/** Weak sounds are underlined twice. */
const Ipa = ({ parts }: { parts: readonly IpaPart[] }): ReactElement => (
  <p className={css['ipa']}>
    /
    {parts.map(({ text, isWeak }, index) =>
      isWeak ? (
        // Sounds never change their position.
        <b key={index} className={css['weakSound']}>
          {text}
        </b>
      ) : (
        text
      ),
    )}
    /
  </p>
);

function Sentence({ sentence, word }: { sentence: string; word: string }): ReactElement {
  const parts = sentence.split(/(\s+)/);
  const runs = findWord(word, parts);
  return (
    <p className={css['sentence']} lang="en">
      {parts.map((part, index) => (
        // Words of a sentence never change their position.
        <span key={index} data-word={runs.some(({ first, last }) => index >= first && index <= last)}>
          {typographic(part)}
        </span>
      ))}
    </p>
  );
}
