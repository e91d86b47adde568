/** Says that the chosen loudspeaker or headset is not connected, and which device is used instead. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { type ReactElement, useSyncExternalStore } from 'react';
import { outputDevice } from './output-device.ts';

export function OutputMissingBanner(): ReactElement | null {
  const isMissing = useSyncExternalStore(outputDevice().subscribe, outputDevice().isMissing);
  if (!isMissing) return null;
  return (
    <Banner tone="warn">
      {t(
        'The speaker or headset you chose isn’t connected, so sound plays on the system default. Plug it in to use it again.',
      )}
    </Banner>
  );
}
