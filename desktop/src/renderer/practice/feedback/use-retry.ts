/** Records a text of a session again as a drill, so that the session itself does not change. */
import { type DrillAttempt, MAX_TURN_MS } from '@parley/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { patienceOf, type Recorder, useRecorder, useSpeaker } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';

export interface Retry {
  recorder: Recorder;
  /** Stops what is being played and records. */
  start: () => void;
  /** The last attempt; null before the first, and while the next is recorded and scored. */
  attempt: DrillAttempt | null;
}

export function useRetry(text: string): Retry {
  const { client, queries } = useHost();
  const speaker = useSpeaker();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  const [attempt, setAttempt] = useState<DrillAttempt | null>(null);
  const recorder = useRecorder({
    microphoneId: device?.microphoneId ?? null,
    patience: patienceOf(device),
    maxMs: MAX_TURN_MS,
    openUpload: async () => {
      const { turnId } = await client.drill.begin({ text, other: null, source: 'drill' });
      return {
        send: (seq, pcm) => client.drill.appendAudio({ turnId, seq, pcm }),
        finish: async () => {
          const scored = await client.drill.finish({ turnId });
          setAttempt(scored);
          return { wasUnderstood: scored.assessment.unusable === undefined };
        },
      };
    },
  });
  return {
    recorder,
    start: () => {
      speaker.stop();
      void recorder.start();
    },
    attempt: recorder.state.status === 'idle' ? attempt : null,
  };
}
