/** The browser's processing of the microphone signal before it is recorded. */
import type { DeviceSettings } from '@parley/contract';

export type AudioProcessing = Pick<DeviceSettings, 'echoCancellation' | 'noiseSuppression' | 'autoGainControl'>;

/** No processing unless the learner wants it, because the score must reflect what was said. */
export const processingOf = (device: AudioProcessing | undefined): AudioProcessing => ({
  echoCancellation: device?.echoCancellation ?? false,
  noiseSuppression: device?.noiseSuppression ?? false,
  autoGainControl: device?.autoGainControl ?? false,
});
