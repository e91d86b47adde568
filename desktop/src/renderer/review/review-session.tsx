/** A review of up to ten cards, by keyboard alone: Space records, Enter leads from the word to its sentence, 1 to 4 grade. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { DeviceSettings, ReviewWord } from '@parley/contract';
import { REVIEW_GRADES, type ReviewGrade } from '@parley/domain';
import { Button, MutedText, Row, Stack } from '@parley/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { ProgressText, RecordButton, useDrillRecorder, useSpaceToRecord, useSpeaker } from '../audio/index.ts';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import css from './review.module.css';
import { ReviewCardView } from './review-card.tsx';
import { moveOfKey } from './review-moves.ts';
import { ReviewSummary } from './review-summary.tsx';
import type { ReviewProgress } from './review-progress.ts';
import type { ReviewStage } from './review-stages.ts';
import { type ReviewState, useReview } from './use-review.ts';

export interface ReviewSessionProps {
  /** Where the review starts or resumes. */
  initial: ReviewProgress;
  settings: DeviceSettings;
  onLeave: () => void;
  onChooseMicrophone: (progress: ReviewProgress) => void;
}

export function ReviewSession({ initial, settings, onLeave, onChooseMicrophone }: ReviewSessionProps): ReactElement {
  const review = useReview(initial);
  const [isSpeaking, setSpeaking] = useState(false);
  return (
    <div className={css['session']}>
      <div className={css['top']}>
        <Button variant="quiet" icon="close" onPress={onLeave}>
          {t('Leave')}
        </Button>
        <Progress review={review} />
        <Button
          variant="quiet"
          icon="redo"
          isDisabled={review.finished.length === 0 || isSpeaking}
          onPress={review.undo}
        >
          {t('Undo last card')}
        </Button>
      </div>
      {review.error !== null && <ErrorBanner error={review.error} />}
      {review.card === null ? (
        <ReviewSummary finished={review.finished} onLeave={onLeave} />
      ) : (
        <Card
          key={review.card.word}
          card={review.card}
          review={review}
          settings={settings}
          onSpeaking={setSpeaking}
          onChooseMicrophone={() => onChooseMicrophone(review.progress)}
          // Without a graded card there is no summary to show.
          onLater={review.cards.length === 1 ? onLeave : review.postpone}
        />
      )}
    </div>
  );
}

function Progress({ review: { cards, finished } }: { review: ReviewState }): ReactElement {
  const current = Math.min(finished.length + 1, cards.length);
  return (
    <p className={css['progress']} role="status">
      <span className={css['bars']} aria-hidden="true">
        {cards.map(({ word }, index) => (
          <i key={word} data-state={index < finished.length ? 'done' : index === finished.length ? 'now' : 'open'} />
        ))}
      </span>
      {finished.length === cards.length ? t('Done') : t('{current} of {total}', { current, total: cards.length })}
    </p>
  );
}

interface CardProps {
  card: ReviewWord;
  review: ReviewState;
  settings: DeviceSettings;
  /** Says whether the learner is speaking, or waiting for the score. */
  onSpeaking: (isSpeaking: boolean) => void;
  onChooseMicrophone: () => void;
  onLater: () => void;
}

function Card({ card, review, settings, onSpeaking, onChooseMicrophone, onLater }: CardProps): ReactElement {
  const { stage, nextStage, spoken } = review;
  const speaker = useSpeaker();
  const recorder = useDrillRecorder({
    drill: { text: stage.text, other: null, source: 'review' },
    device: settings,
    onScored: (attempt) => review.onSpoken(card, attempt),
  });
  const start = (): void => {
    speaker.stop();
    void recorder.start();
  };
  const isRecording = recorder.state.status === 'recording' || recorder.state.status === 'finishing';
  const isSpeaking = isRecording || recorder.state.status === 'opening';
  useEffect(() => {
    onSpeaking(isSpeaking);
    return () => onSpeaking(false);
  }, [isSpeaking, onSpeaking]);
  useSpaceToRecord({ isActive: true, recorder, start });
  useReviewKeys(review, !isRecording);
  const { state } = recorder;
  return (
    <>
      <ReviewCardView
        card={card}
        stage={stage}
        spoken={isRecording ? null : spoken}
        onChooseMicrophone={onChooseMicrophone}
      />
      <div className={css['dock']}>
        <div className={css['speak']}>
          <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop')} />
        </div>
        <div>
          {state.status === 'recording' && stage.name !== 'word' ? (
            <ProgressText text={stage.text} said={state.progress?.said ?? 0} />
          ) : (
            <Prompt review={review} />
          )}
        </div>
        <Stack tight>
          <Grades card={card} review={review} isDisabled={isRecording} />
          <Row>
            {nextStage !== null && (
              <Button variant="primary" isDisabled={isRecording} onPress={review.goToNextStage}>
                {stageLabel(nextStage)} <kbd className={css['key']}>{t('Enter')}</kbd>
              </Button>
            )}
            <Button variant="quiet" isDisabled={isRecording || review.isSaving} onPress={onLater}>
              {t('Later')}
            </Button>
          </Row>
        </Stack>
      </div>
    </>
  );
}

function stageLabel({ name }: ReviewStage): string {
  if (name === 'word') return t('Say the word');
  return name === 'phrase' ? t('Say the phrase') : t('Say the sentence');
}

function Prompt({ review: { stage, nextStage, spoken, suggestion } }: { review: ReviewState }): ReactElement {
  const components = { 0: <kbd />, 1: <kbd /> };
  return (
    <>
      <h2>{(spoken?.word ?? null) === null ? stageLabel(stage) : t('Say it again, or move on')}</h2>
      {suggestion !== null && (
        <MutedText>
          {nextStage === null ? (
            <Trans id="<0>Space</0> records. <1>Enter</1> accepts the suggestion." components={components} />
          ) : (
            <Trans id="<0>Space</0> records. <1>Enter</1> continues." components={components} />
          )}
        </MutedText>
      )}
    </>
  );
}

const GRADE_NAMES: Record<ReviewGrade, string> = {
  again: t('Again'),
  hard: t('Hard'),
  good: t('Good'),
  easy: t('Easy'),
};

function Grades(props: { card: ReviewWord; review: ReviewState; isDisabled: boolean }): ReactElement {
  const { card, review, isDisabled } = props;
  return (
    <div className={css['grades']} role="group" aria-label={t('How well it went')}>
      {REVIEW_GRADES.map((grade, index) => {
        const days = card.daysByGrade[grade];
        return (
          <button
            key={grade}
            type="button"
            className={css['grade']}
            data-suggested={review.suggestion === grade}
            data-next={review.suggestion === grade && review.nextStage === null}
            aria-keyshortcuts={String(index + 1)}
            disabled={isDisabled || review.suggestion === null || review.isSaving}
            onClick={() => review.grade(grade)}
          >
            <span>
              {GRADE_NAMES[grade]}{' '}
              <kbd className={css['key']} aria-hidden="true">
                {index + 1}
              </kbd>
            </span>
            <small>{t('{days, plural, one {# day} other {# days}}', { days })}</small>
          </button>
        );
      })}
    </div>
  );
}

/** The keys work unless a control has the focus. */
function useReviewKeys(review: ReviewState, isActive: boolean): void {
  const latest = useRef({ review, isActive });
  latest.current = { review, isActive };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { review: now, isActive: canMove } = latest.current;
      if (!canMove || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const isOnControl =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, button:not([aria-disabled="true"]), a, [role="dialog"]') !== null;
      if (isOnControl) return;
      const move = moveOfKey(event.key, { hasNextStage: now.nextStage !== null, suggestion: now.suggestion });
      if (move?.to === 'next_stage') now.goToNextStage();
      else if (move?.to === 'grade') now.grade(move.grade);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
