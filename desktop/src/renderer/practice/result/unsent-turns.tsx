/** Shows turns that were recorded or typed but not sent when the session ended, with a retry for a failed transcription. */
import { t } from '@parley/i18n';
import type { WaitingTurn, ResultView } from '@parley/contract';
import { Banner, Button, Card, MutedText, Row, typographic } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sentenceForCode } from '../../foundation/sentences/error-sentence.ts';
import { withLine } from '../../foundation/sentences/with-line.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { useSpeaker } from '../../audio/index.ts';
import css from '../practice.module.css';
import { useRecording } from '../feedback/turn-feedback.tsx';

export function UnsentTurns({ view }: { view: ResultView }): ReactElement | null {
  if (view.unsent.length === 0 && view.unsentText === null) return null;
  return (
    <Card>
      <h2>{t('Kept, but not sent')}</h2>
      <MutedText>
        {view.unsent.length === 0
          ? t('You wrote this before the conversation ended. It doesn’t count towards your score.')
          : t('You said this before the conversation ended. It doesn’t count towards your score.')}
      </MutedText>
      <ul className={css['list']}>
        {view.unsent.map((turn) => (
          <li key={turn.turnId}>
            <UnsentTurn view={view} turn={turn} />
          </li>
        ))}
        {view.unsentText !== null && <li className={css['said']}>{view.unsentText}</li>}
      </ul>
    </Card>
  );
}

function UnsentTurn({ view, turn }: { view: ResultView; turn: WaitingTurn }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const speaker = useSpeaker();
  const { sessionId } = view.session;
  const sound = useRecording(turn.recordingId);
  const retranscribe = useMutation({
    mutationFn: () => client.practice.assessUnsentTurn({ sessionId, turnId: turn.turnId }),
    onSuccess: (result) => cache.setQueryData(queries.practice.result.queryKey({ input: { sessionId } }), result),
  });
  const text = 'text' in turn ? turn.text : null;
  return (
    <div className={css['list']}>
      {text !== null && <p className={css['said']}>{typographic(text)}</p>}
      {text === null && <Banner tone="warn">{missingTranscriptReason(turn)}</Banner>}
      <Row>
        {sound.data !== undefined && (
          <Button
            icon="play"
            {...(text !== null && { label: withLine(t('Play your voice'), text) })}
            onPress={() => void speaker.play(sound.data.wav)}
          >
            {t('Play your voice')}
          </Button>
        )}
        {canRetranscribe(turn) && (
          <Button icon="redo" onPress={() => retranscribe.mutate()} isDisabled={retranscribe.isPending}>
            {retranscribe.isPending ? t('Transcribing…') : t('Try again')}
          </Button>
        )}
      </Row>
      {sound.isError && <ErrorBanner error={sound.error} />}
      {retranscribe.isError && <ErrorBanner error={retranscribe.error} />}
    </div>
  );
}

/** Whether the recording was never transcribed, so that a retry may help. */
const canRetranscribe = (turn: WaitingTurn): boolean =>
  turn.status === 'not_scored' ? turn.text === null : turn.status === 'not_recognised' && turn.failure !== null;

function missingTranscriptReason(turn: WaitingTurn): string {
  if (turn.status === 'unusable' && turn.reason === 'silent')
    return t('Parley heard nothing in this recording. You can still play it.');
  if (turn.status === 'unusable') return t('This recording couldn’t be scored. You can still play it.');
  const failure = turn.status === 'not_recognised' ? turn.failure : null;
  if (failure === 'speech.unavailable') return t('Parley couldn’t make out the words. Your recording is safe.');
  if (failure !== null) return sentenceForCode(failure);
  return t('There’s no text for this recording. You can still play it.');
}
