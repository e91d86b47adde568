/** Says one word of a result again, and shows sound by sound what changed. The session itself does not change. */
import { t } from '@parley/i18n';
import { type DrillAttempt, MAX_TURN_MS } from '@parley/contract';
import { listedSpelling, type WordAssessment } from '@parley/domain';
import { Banner, formatScore, MutedText, PhonemeStrip } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { RecordButton, useRecorder, useSpeaker } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { accuraciesBefore, reviewedWord } from '../../review/index.ts';
import css from '../practice.module.css';

export function RetryWord({ before }: { before: WordAssessment }): ReactElement {
  const { client, queries } = useHost();
  const speaker = useSpeaker();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  const [attempt, setAttempt] = useState<DrillAttempt | null>(null);
  const text = listedSpelling(before.word);
  const recorder = useRecorder({
    microphoneId: device?.microphoneId ?? null,
    patienceMs: device?.patienceMs ?? null,
    maxMs: MAX_TURN_MS,
    openUpload: async () => {
      const { turnId } = await client.drill.begin({ text, other: null, source: 'drill' });
      return {
        send: (seq, pcm) => client.drill.appendAudio({ turnId, seq, pcm }),
        finish: async () => setAttempt(await client.drill.finish({ turnId })),
      };
    },
  });
  const start = (): void => {
    speaker.stop();
    void recorder.start();
  };
  return (
    <div className={css['list']}>
      <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop and see your score')} />
      {attempt !== null && recorder.state.status === 'idle' && (
        <div className={css['list']} role="status">
          <Outcome attempt={attempt} before={before} />
        </div>
      )}
    </div>
  );
}

function Outcome({ attempt, before }: { attempt: DrillAttempt; before: WordAssessment }): ReactElement {
  const { assessment, text } = attempt;
  if (assessment.unusable !== undefined) return <Banner tone="warn">{unusableSentence(assessment.unusable)}</Banner>;
  const word = reviewedWord(text, assessment);
  if (word === undefined)
    return <Banner tone="warn">{t('The word wasn’t in the recording. Say “{text}” again.', { text })}</Banner>;
  const scores = { now: formatScore(word.accuracy), before: formatScore(before.accuracy) };
  return (
    <>
      <PhonemeStrip phonemes={word.phonemes} before={accuraciesBefore(word.phonemes, before.phonemes)} />
      <MutedText>
        {before.accuracy === null
          ? t('The word scored {now} of 100.', scores)
          : t('The word scored {now} of 100. Before, it was {before}.', scores)}
      </MutedText>
    </>
  );
}
