/** Records a text of a session again as a drill, so that the session itself does not change. */
import type { DrillAttempt } from '@parley/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Recorder, useDrillRecorder, useSpeaker } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';

export interface Retry {
  recorder: Recorder;
  /** Stops playback and records. */
  start: () => void;
  /** The last attempt; null before the first one, and while the next one is being recorded and scored. */
  attempt: DrillAttempt | null;
}

export function useRetry(text: string): Retry {
  const { queries } = useHost();
  const speaker = useSpeaker();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  const [attempt, setAttempt] = useState<DrillAttempt | null>(null);
  const recorder = useDrillRecorder({ drill: { text, other: null, source: 'drill' }, device, onScored: setAttempt });
  return {
    recorder,
    start: () => {
      speaker.stop();
      void recorder.start();
    },
    attempt: recorder.state.status === 'idle' ? attempt : null,
  };
}
