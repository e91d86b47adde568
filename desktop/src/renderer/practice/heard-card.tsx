/** What was heard of a turn, before it is sent: right, something else, or nothing that can be scored. */
import { type HeardTurn, type ListeningFailure, MAX_TYPED_CHARACTERS } from '@parley/contract';
import { Banner, Button, Quiet, Row, ScoreRing, TextField } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { sentenceOf } from '../app/error-sentence.ts';
import { QuotaOut } from '../app/quota-out.tsx';
import css from './practice.module.css';
import { TurnFeedback } from './turn-feedback.tsx';
import type { Draft } from './use-draft.ts';

export interface HeardCardProps {
  heard: HeardTurn;
  draft: Draft;
  isSending: boolean;
  onSend: () => void;
  onRedo: () => void;
  onName: (text: string) => void;
  onWrite: () => void;
  /** Asks once more for what was said to be written down; from another device the conversation then moves here. */
  onHearAgain: (moveHere: boolean) => void;
}

export function HeardCard(props: HeardCardProps): ReactElement {
  const { heard } = props;
  switch (heard.status) {
    case 'heard':
      return <Heard {...props} heard={heard} />;
    case 'unusable':
      return (
        <>
          <Banner tone="warn">{heard.hint}</Banner>
          <Row>
            <Button look="primary" icon="redo" onPress={props.onRedo} autoFocus>
              Say it again
            </Button>
            <Button icon="keyboard" onPress={props.onWrite}>
              Write instead
            </Button>
          </Row>
        </>
      );
    case 'not_recognised':
      return heard.failure === null ? (
        <PickLine
          {...props}
          candidates={heard.candidates}
          title={
            heard.candidates.length > 0 ? 'Which of these did you say?' : 'We did not catch that. What did you say?'
          }
        />
      ) : (
        <NotWritten {...props} failure={heard.failure} />
      );
    case 'not_scored':
      return heard.text === null ? (
        <PickLine
          {...props}
          candidates={heard.candidates}
          title="Your voice is kept, but it could not be scored now. What did you say?"
        />
      ) : (
        <NotScored {...props} text={heard.text} candidates={heard.candidates} />
      );
  }
}

function Heard(props: HeardCardProps & { heard: Extract<HeardTurn, { status: 'heard' }> }): ReactElement {
  const { heard, isSending, onSend } = props;
  const { text, assessment } = heard;
  const [showsDetails, setShowsDetails] = useState(false);
  return (
    <div className={css['full']}>
      <Words text={text} score={assessment.pron} />
      {assessment.unusable !== undefined && <Quiet>{assessment.unusable.hint}</Quiet>}
      {showsDetails && <TurnFeedback text={text} assessment={assessment} recordingId={heard.recordingId} />}
      <Row>
        <Button look="primary" icon="send" onPress={onSend} isDisabled={isSending} autoFocus>
          Send
        </Button>
        <Instead {...props} />
        {assessment.unusable === undefined && (
          <Button look="quiet" onPress={() => setShowsDetails(!showsDetails)}>
            {showsDetails ? 'Hide the details' : 'Show the details'}
          </Button>
        )}
      </Row>
    </div>
  );
}

const Words = ({ text, score }: { text: string; score: number | null }): ReactElement => (
  <>
    <Quiet small>We heard</Quiet>
    <div className={css['heard']}>
      <ScoreRing score={score} label="Pronunciation" size={56} />
      <p className={css['said']}>{text}</p>
    </div>
  </>
);

/** The words are known, their score is not: the conversation goes on all the same. */
function NotScored(props: HeardCardProps & { text: string; candidates: readonly string[] }): ReactElement {
  const { text, candidates, isSending, onSend } = props;
  const [isOther, setOther] = useState(false);
  if (isOther) return <PickLine {...props} candidates={candidates} title="What did you say?" />;
  return (
    <div className={css['full']}>
      <Words text={text} score={null} />
      <Quiet>Your voice is kept. It could not be scored now; that is tried again when you finish.</Quiet>
      <Row>
        <Button look="primary" icon="send" onPress={onSend} isDisabled={isSending} autoFocus>
          Send
        </Button>
        <Instead {...props} />
        <Button look="quiet" onPress={() => setOther(true)}>
          I said something else
        </Button>
      </Row>
    </div>
  );
}

/** The sound is kept; whoever writes down what was said could not. */
function NotWritten(props: HeardCardProps & { failure: ListeningFailure }): ReactElement {
  const { failure, isSending, onHearAgain } = props;
  const isElsewhere = failure === 'live.elsewhere';
  const again = (
    <Button onPress={() => onHearAgain(isElsewhere)} isDisabled={isSending}>
      {isElsewhere ? 'Move it here' : 'Try again'}
    </Button>
  );
  return (
    <>
      {failure === 'quota.out' ? (
        <>
          <QuotaOut />
          {/* Whoever comes back another day has minutes again. */}
          <Row>{again}</Row>
        </>
      ) : (
        <Banner tone="warn" action={again}>
          {sentenceOf(failure)}
        </Banner>
      )}
      <PickLine {...props} candidates={[]} title="What did you say?" />
    </>
  );
}

function PickLine(props: HeardCardProps & { candidates: readonly string[]; title: string }): ReactElement {
  const { candidates, title, isSending, onName, draft } = props;
  const own = draft.text ?? '';
  const submit = (): void => {
    if (own.trim() !== '') onName(own.trim());
  };
  return (
    <div className={css['full']}>
      <h2>{title}</h2>
      {candidates.length > 0 && (
        <ul className={css['list']}>
          {candidates.map((candidate) => (
            <li key={candidate}>
              <Button onPress={() => onName(candidate)} isDisabled={isSending}>
                {candidate}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={candidates.length > 0 ? 'Or write what you said' : 'Write what you said'}
        value={own}
        onChange={draft.setText}
        onSubmit={submit}
        maxLength={MAX_TYPED_CHARACTERS}
      />
      <Row>
        <Button look="primary" onPress={submit} isDisabled={own.trim() === '' || isSending}>
          Score this
        </Button>
        <Instead {...props} />
      </Row>
    </div>
  );
}

/** What a learner may do who does not want to send this. */
function Instead({ isSending, onRedo, onWrite }: HeardCardProps): ReactElement {
  return (
    <>
      <Button icon="redo" onPress={onRedo} isDisabled={isSending}>
        Say it again
      </Button>
      <Button look="quiet" icon="keyboard" onPress={onWrite} isDisabled={isSending}>
        Write instead
      </Button>
    </>
  );
}
