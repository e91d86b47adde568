/** What was spoken but still waited when the session ended: kept, heard again, and written down where nobody could until now. */
import type { HeardTurn, ResultView } from '@parley/contract';
import { Banner, Button, Card, Quiet, Row } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sentenceOf } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './practice.module.css';
import { useRecording } from './turn-feedback.tsx';

export function UnsentTurns({ view }: { view: ResultView }): ReactElement | null {
  if (view.unsent.length === 0) return null;
  return (
    <Card>
      <h2>Kept, but not sent</h2>
      <Quiet>You said this before the conversation ended. It is part of no score, and stays on this device.</Quiet>
      <ul className={css['list']}>
        {view.unsent.map((turn) => (
          <li key={turn.turnId}>
            <UnsentTurn view={view} turn={turn} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UnsentTurn({ view, turn }: { view: ResultView; turn: HeardTurn }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const speaker = useSpeaker();
  const { sessionId } = view.session;
  const sound = useRecording(turn.recordingId);
  const hear = useMutation({
    mutationFn: () => client.practice.hearUnsent({ sessionId, turnId: turn.turnId }),
    onSuccess: (result) => cache.setQueryData(queries.practice.result.queryKey({ input: { sessionId } }), result),
  });
  const text = 'text' in turn ? turn.text : null;
  return (
    <div className={css['list']}>
      {text !== null && <p className={css['said']}>{text}</p>}
      {text === null && <Banner tone="warn">{whyWithoutWords(turn)}</Banner>}
      <Row>
        {sound.data !== undefined && (
          <Button icon="play" onPress={() => void speaker.play(sound.data.wav)}>
            Play your voice
          </Button>
        )}
        {mayBeHeard(turn) && (
          <Button icon="redo" onPress={() => hear.mutate()} isDisabled={hear.isPending}>
            {hear.isPending ? 'Writing it down …' : 'Try again'}
          </Button>
        )}
      </Row>
      {sound.isError && <FailureBanner error={sound.error} />}
      {hear.isError && <FailureBanner error={hear.error} />}
    </div>
  );
}

/** Where nobody who could have written it down has heard it yet. */
const mayBeHeard = (turn: HeardTurn): boolean =>
  turn.status === 'not_scored' ? turn.text === null : turn.status === 'not_recognised' && turn.failure !== null;

function whyWithoutWords(turn: HeardTurn): string {
  if (turn.status === 'unusable') return 'This recording could not be scored. You can still hear it.';
  const failure = turn.status === 'not_recognised' ? turn.failure : null;
  if (failure === 'speech.unavailable') return 'Your words could not be written down. Your voice is kept; try again.';
  if (failure !== null) return sentenceOf(failure);
  return 'Nobody has written down what you said here. You can still hear it.';
}
