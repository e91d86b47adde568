/** Explains why a recording stopped and says when a microphone is available again. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { listMicrophones, MicrophoneError } from './microphone.ts';
import { microphoneErrorSentence } from './microphone-error-sentence.ts';

export function MicrophoneErrorBanner({ error }: { error: unknown }): ReactElement {
  const wasUnplugged = error instanceof MicrophoneError && error.failure === 'unplugged';
  const isConnected = useMicrophoneConnected(wasUnplugged);
  if (wasUnplugged && isConnected) {
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

/** Whether a microphone is connected, checked only while the hook is enabled. */
function useMicrophoneConnected(isEnabled: boolean): boolean {
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (!isEnabled) return;
    let isUnmounted = false;
    const refresh = async (): Promise<void> => {
      const found = await listMicrophones().catch(() => []);
      if (!isUnmounted) setConnected(found.length > 0);
    };
    const onDeviceChange = (): void => void refresh();
    onDeviceChange();
    navigator.mediaDevices.addEventListener('devicechange', onDeviceChange);
    return () => {
      isUnmounted = true;
      navigator.mediaDevices.removeEventListener('devicechange', onDeviceChange);
    };
  }, [isEnabled]);
  return isConnected;
}
