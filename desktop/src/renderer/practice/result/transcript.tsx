/** The conversation as a script: the coach's lines, and the learner's with their scores and actions. */
import { t } from '@parley/i18n';
import type { ResultView } from '@parley/contract';
import type { LearnerTurn, Turn } from '@parley/domain';
import { Button, MutedText, Row } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactElement, useState } from 'react';
import { withLine } from '../../foundation/sentences/with-line.ts';
import { PickableWords } from '../../review/index.ts';
import { canBeCompared } from '../../shadowing/index.ts';
import { LongTextNote, ScoredWords, TurnVoices, UntranscribedRecording } from '../feedback/turn-feedback.tsx';
import { ReportButton } from '../report/report-button.tsx';
import { startsContinuation, ContinuationMark } from '../session/continuation-mark.tsx';
import { ProvedObjectives } from './proved-objectives.tsx';
import { TryAgain } from './try-again.tsx';
import css from './result.module.css';

type Opened = 'again' | 'voices';

export function Transcript({ session }: { session: ResultView['session'] }): ReactElement {
  // Only one can be open at a time, because each may use the microphone or the keyboard.
  const [opened, setOpened] = useState<{ turnId: string; part: Opened } | null>(null);
  const { turns } = session;
  return (
    <ol className={css['script']} aria-label={t('What was said')}>
      {turns.map((turn, at) => (
        <Fragment key={turn.turnId}>
          {startsContinuation(turns, at) && (
            <li>
              <ContinuationMark />
            </li>
          )}
          <li className={css['line']} data-role={turn.role}>
            <span className={css['name']}>{turn.role === 'coach' ? session.coach.name : t('You')}</span>
            {turn.role === 'coach' ? (
              <PlainLine turn={turn} session={session} />
            ) : (
              <OwnLine
                turn={turn}
                session={session}
                opened={opened?.turnId === turn.turnId ? opened.part : null}
                onOpen={(part) => setOpened(part === null ? null : { turnId: turn.turnId, part })}
              />
            )}
            <ProvedObjectives objectives={session.objectives} turnId={turn.turnId} />
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

function OwnLine(props: {
  turn: LearnerTurn;
  session: ResultView['session'];
  opened: Opened | null;
  onOpen: (part: Opened | null) => void;
}): ReactElement {
  const { turn, session, opened, onOpen } = props;
  const { text, assessment, recordingId } = turn;
  if (recordingId !== null && text === '') return <UntranscribedRecording recordingId={recordingId} />;
  if (recordingId === null || assessment === null) return <PlainLine turn={turn} session={session} />;
  const toggle = (part: Opened): void => onOpen(opened === part ? null : part);
  return (
    <div className={css['own']}>
      <ScoredWords
        text={text}
        assessment={assessment}
        recordingId={recordingId}
        // Only one of them may use the microphone.
        canRetry={opened !== 'again'}
      />
      <Row>
        {canBeCompared(text) && (
          <Button
            variant="quiet"
            icon="redo"
            label={withLine(t('Try this sentence again'), text)}
            onPress={() => toggle('again')}
          >
            {t('Try this sentence again')}
          </Button>
        )}
        <Button
          variant="quiet"
          icon="drill"
          label={withLine(t('Compare with the model'), text)}
          onPress={() => toggle('voices')}
        >
          {t('Compare with the model')}
        </Button>
        <ShadowButton turn={turn} session={session} />
      </Row>
      <LongTextNote text={text} />
      {opened === 'again' && <TryAgain text={text} before={assessment} />}
      {opened === 'voices' && <TurnVoices text={text} assessment={assessment} recordingId={recordingId} />}
    </div>
  );
}

/** A line without scores, each of whose words can still be heard and added to the list. */
const PlainLine = ({ turn, session }: { turn: Turn; session: ResultView['session'] }): ReactElement => (
  <PickableWords
    text={turn.text}
    className={css['plain']}
    action={
      turn.role === 'coach' && (
        <Row>
          <ShadowButton turn={turn} session={session} />
          <ReportButton sessionId={session.sessionId} turn={turn} isShort />
        </Row>
      )
    }
  />
);

function ShadowButton({ turn, session }: { turn: Turn; session: ResultView['session'] }): ReactElement {
  const navigate = useNavigate();
  const search = { text: turn.text, ...(turn.role === 'learner' && { session: session.sessionId, turn: turn.turnId }) };
  return (
    <Button
      variant="quiet"
      icon="microphone"
      label={withLine(t('Shadow'), turn.text)}
      onPress={() => void navigate({ to: '/shadow', search })}
    >
      {t('Shadow')}
    </Button>
  );
}

export const NothingSpoken = (): ReactElement => (
  <MutedText>{t('You didn’t speak in this practice, so there’s nothing to play.')}</MutedText>
);
