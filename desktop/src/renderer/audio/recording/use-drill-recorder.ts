/** Records a text outside of a session: the host scores it as a separate attempt. */
import type { DeviceSettings, DrillAttempt } from '@parley/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useHost } from '../../foundation/host/host-context.tsx';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { patienceOf } from './turn-end-detection.ts';
import { type Recorder, useRecorder } from './use-recorder.ts';

export interface DrillRecorderOptions {
  drill: Parameters<HostClient['drill']['begin']>[0];
  device: DeviceSettings | undefined;
  /** Pauses are normal when a passage is read aloud, so only the button ends it. */
  isReadAloud?: boolean;
  /** Called when the recording begins. */
  onBegun?: () => void;
  /** Called when the recording is over, before it is scored. */
  onEnded?: () => void;
  onScored: (attempt: DrillAttempt) => void;
}

export function useDrillRecorder(options: DrillRecorderOptions): Recorder {
  const { drill, device, isReadAloud = false, onBegun, onEnded, onScored } = options;
  const { client, queries } = useHost();
  const cache = useQueryClient();
  return useRecorder({
    microphoneId: device?.microphoneId ?? null,
    patience: isReadAloud ? null : patienceOf(device),
    openUpload: async () => {
      const { turnId } = await client.drill.begin(drill);
      onBegun?.();
      return {
        send: (seq, pcm) => client.drill.appendAudio({ turnId, seq, pcm }),
        finish: async () => {
          onEnded?.();
          const attempt = await client.drill.finish({ turnId });
          onScored(attempt);
          await cache.invalidateQueries({ queryKey: queries.drill.attempts.key() });
          return { wasUnderstood: attempt.assessment.unusable === undefined };
        },
      };
    },
  });
}
