/** Explains why a recording stopped and says when a microphone is available again. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import type { ReactElement } from 'react';
import { useAudioDevices } from '../output/use-audio-devices.ts';
import { MicrophoneError } from './microphone.ts';
import { microphoneErrorSentence } from './microphone-error-sentence.ts';

export function MicrophoneErrorBanner({ error }: { error: unknown }): ReactElement {
  const wasUnplugged = error instanceof MicrophoneError && error.failure === 'unplugged';
  const { devices = [] } = useAudioDevices('audioinput');
  if (wasUnplugged && devices.length > 0) {
    return (
      <Banner tone="warn">
        {t(
          'The microphone was unplugged. What you said until then is kept. A microphone is connected again, so you can go on.',
        )}
      </Banner>
    );
  }
  return <Banner tone="error">{microphoneErrorSentence(error)}</Banner>;
}
