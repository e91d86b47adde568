/** Explains why a recording stopped, what to do, and when a microphone is available again. */
import { t } from '@parley/i18n';
import { Banner, Button, Notice } from '@parley/ui';
import type { ReactElement, ReactNode } from 'react';
import { useAudioDevices } from '../output/use-audio-devices.ts';
import { MicrophoneError } from './microphone.ts';
import { microphoneDeniedSentence, microphoneErrorSentence } from './microphone-error-sentence.ts';
import { microphoneSettingsAddress, openMicrophoneSettings } from './microphone-settings.ts';

/** `action` is another way to continue, such as a retry. */
export function MicrophoneErrorBanner({ error, action }: { error: unknown; action?: ReactNode }): ReactElement {
  const failure = error instanceof MicrophoneError ? error.failure : null;
  const { devices = [] } = useAudioDevices('audioinput');
  if (failure === 'denied') return <MicrophoneDenied action={action} />;
  if (failure === 'unplugged' && devices.length > 0) {
    return (
      <Banner tone="warn" action={action}>
        {t(
          'The microphone was unplugged. What you said until then is kept. A microphone is connected again, so you can go on.',
        )}
      </Banner>
    );
  }
  return (
    <Banner tone="error" action={action}>
      {microphoneErrorSentence(error)}
    </Banner>
  );
}

function MicrophoneDenied({ action }: { action: ReactNode }): ReactElement {
  const address = microphoneSettingsAddress(navigator.userAgent);
  return (
    <Notice
      picture="blocked"
      title={t('Parley can’t use the microphone')}
      isAlert
      actions={
        address === null ? (
          action
        ) : (
          <>
            <Button variant="primary" onPress={() => openMicrophoneSettings(address)}>
              {t('Open System Settings')}
            </Button>
            {action}
          </>
        )
      }
    >
      {microphoneDeniedSentence(navigator.userAgent)}
    </Notice>
  );
}
