/** Shows a recorded turn before it is sent: being assessed, recognised, not recognised, not scored or unusable. */
import { t } from '@parley/i18n';
import { type WaitingTurn, type TranscriptionFailure, MAX_TYPED_CHARACTERS } from '@parley/contract';
import { Banner, Button, MutedText, Row, TextField, typographic } from '@parley/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { sentenceForCode } from '../../foundation/sentences/error-sentence.ts';
import { QuotaExhaustedBanner } from '../../foundation/screen/quota-exhausted-banner.tsx';
import { UnusableNotice } from '../../foundation/screen/unusable-notice.tsx';
import { useLostFocus } from '../../foundation/screen/use-lost-focus.ts';
import css from '../practice.module.css';
import { TurnFeedback } from '../feedback/turn-feedback.tsx';
import type { Draft } from './use-draft.ts';

export interface WaitingTurnCardProps {
  heard: WaitingTurn;
  draft: Draft;
  isSending: boolean;
  onSend: () => void;
  onRecordAgain: () => void;
  onCorrectTranscript: (text: string) => void;
  onTypeInstead: () => void;
  onChooseMicrophone: () => void;
  /** Transcribes the recording again, taking the session over from another device first if requested. */
  onRetranscribe: (takeOver: boolean) => void;
}

export function WaitingTurnCard(props: WaitingTurnCardProps): ReactElement {
  const card = useLostFocus<HTMLDivElement>();
  return (
    // A second press of the key that stopped the recording would activate the card's first button, so the card takes
    // the focus; Tab moves on to the button.
    <div ref={card} tabIndex={-1} role="group" aria-label={t('What you said')} className={css['full']}>
      <WaitingTurnContent {...props} />
    </div>
  );
}

function WaitingTurnContent(props: WaitingTurnCardProps): ReactElement {
  const { heard } = props;
  switch (heard.status) {
    case 'assessing':
      return (
        <>
          <p role="status">{t('Listening to what you said')}</p>
          <Row>
            <OtherActions {...props} />
          </Row>
        </>
      );
    case 'heard':
      return <RecognisedTurn {...props} heard={heard} />;
    case 'unusable':
      return (
        <UnusableNotice
          problem={heard}
          actions={
            <>
              <Button variant="speak" icon="microphone" onPress={props.onRecordAgain}>
                {t('Say it again')}
              </Button>
              <Button icon="keyboard" onPress={props.onTypeInstead}>
                {t('Write instead')}
              </Button>
            </>
          }
          onChooseMicrophone={props.onChooseMicrophone}
        />
      );
    case 'not_recognised':
      return heard.failure === null ? (
        <ChooseReply
          {...props}
          candidates={heard.candidates}
          title={heard.candidates.length > 0 ? t('What did you say?') : t('We didn’t catch that. What did you say?')}
        />
      ) : (
        <UntranscribedTurn {...props} failure={heard.failure} />
      );
    case 'not_scored':
      return heard.text === null ? (
        <ChooseReply
          {...props}
          candidates={heard.candidates}
          title={t('Your recording is safe, but it couldn’t be scored just now. What did you say?')}
        />
      ) : (
        <UnscoredTurn {...props} candidates={heard.candidates} />
      );
  }
}

function RecognisedTurn(
  props: WaitingTurnCardProps & { heard: Extract<WaitingTurn, { status: 'heard' }> },
): ReactElement {
  const { heard, isSending, onSend } = props;
  const { text, assessment } = heard;
  const [showsDetails, setShowsDetails] = useState(false);
  return (
    <>
      {assessment.unusable !== undefined && <MutedText>{unusableSentence(assessment.unusable)}</MutedText>}
      {showsDetails && <TurnFeedback text={text} assessment={assessment} recordingId={heard.recordingId} />}
      <Row>
        <Button variant="primary" icon="send" onPress={onSend} isDisabled={isSending}>
          {t('Send')}
        </Button>
        <OtherActions {...props} />
        {assessment.unusable === undefined && (
          <Button variant="quiet" onPress={() => setShowsDetails(!showsDetails)}>
            {showsDetails ? t('Hide the details') : t('Show the details')}
          </Button>
        )}
      </Row>
    </>
  );
}

/** The transcript is known but the score is not; the conversation can continue. */
function UnscoredTurn(props: WaitingTurnCardProps & { candidates: readonly string[] }): ReactElement {
  const { candidates, isSending, onSend } = props;
  const [isChoosingOther, setChoosingOther] = useState(false);
  if (isChoosingOther) return <ChooseReply {...props} candidates={candidates} title={t('What did you say?')} />;
  return (
    <>
      <MutedText>
        {t('Your recording is safe. It couldn’t be scored just now; Parley will try again when you finish.')}
      </MutedText>
      <Row>
        <Button variant="primary" icon="send" onPress={onSend} isDisabled={isSending}>
          {t('Send')}
        </Button>
        <OtherActions {...props} />
        <Button variant="quiet" onPress={() => setChoosingOther(true)}>
          {t('I said something else')}
        </Button>
      </Row>
    </>
  );
}

/** The recording is kept, but it could not be transcribed. */
function UntranscribedTurn(props: WaitingTurnCardProps & { failure: TranscriptionFailure }): ReactElement {
  const { failure, isSending, onRetranscribe } = props;
  const isOpenElsewhere = failure === 'live.elsewhere';
  const again = (
    <Button onPress={() => onRetranscribe(isOpenElsewhere)} isDisabled={isSending}>
      {isOpenElsewhere ? t('Move it here') : t('Try again')}
    </Button>
  );
  return (
    <>
      {failure === 'quota.out' ? (
        <>
          <QuotaExhaustedBanner />
          {/* The quota may have been reset since, so a retry is offered here too. */}
          <Row>{again}</Row>
        </>
      ) : (
        <Banner tone="warn" action={again}>
          {sentenceForCode(failure)}
        </Banner>
      )}
      <ChooseReply {...props} candidates={[]} title={t('What did you say?')} />
    </>
  );
}

function ChooseReply(props: WaitingTurnCardProps & { candidates: readonly string[]; title: string }): ReactElement {
  const { candidates, title, isSending, onCorrectTranscript, draft } = props;
  const typedText = draft.text ?? '';
  const question = useRef<HTMLHeadingElement>(null);
  // The recording controls are gone, and a screen reader announces the focused element.
  useEffect(() => question.current?.focus(), []);
  const submit = (): void => {
    if (typedText.trim() !== '') onCorrectTranscript(typedText.trim());
  };
  return (
    <>
      <h2 ref={question} tabIndex={-1}>
        {title}
      </h2>
      {candidates.length > 0 && (
        <ul className={css['list']}>
          {candidates.map((candidate) => (
            <li key={candidate}>
              <Button onPress={() => onCorrectTranscript(candidate)} isDisabled={isSending}>
                <span lang="en">{typographic(candidate)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={candidates.length > 0 ? t('Or write what you said') : t('Write what you said')}
        value={typedText}
        onChange={draft.setText}
        onSubmit={submit}
        maxLength={MAX_TYPED_CHARACTERS}
      />
      <Row>
        <Button variant="primary" onPress={submit} isDisabled={typedText.trim() === '' || isSending}>
          {t('Score this')}
        </Button>
        <OtherActions {...props} />
      </Row>
    </>
  );
}

/** The alternatives to sending this turn. */
function OtherActions({ isSending, onRecordAgain, onTypeInstead }: WaitingTurnCardProps): ReactElement {
  return (
    <>
      <Button icon="redo" onPress={onRecordAgain} isDisabled={isSending}>
        {t('Say it again')}
      </Button>
      <Button variant="quiet" icon="keyboard" onPress={onTypeInstead} isDisabled={isSending}>
        {t('Write instead')}
      </Button>
    </>
  );
}
