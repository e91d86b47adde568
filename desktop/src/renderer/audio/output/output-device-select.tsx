/**
 * Lets the learner choose the loudspeaker or headset for all playback. Renders nothing if the browser offers no choice.
 */
import { t } from '@parley/i18n';
import { MutedText, Select } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { useSaveSettings } from '../../foundation/host/use-save-settings.ts';
import { SavedNotice } from '../../foundation/screen/saved-notice.tsx';
import { canChooseOutput } from './output-device.ts';
import { OutputMissingBanner } from './output-missing-banner.tsx';
import { useAudioDevices } from './use-audio-devices.ts';

const SYSTEM_OUTPUT = 'system';

export function OutputDeviceSelect(): ReactElement | null {
  const { queries } = useHost();
  const settings = useQuery(queries.settings.read.queryOptions()).data;
  const save = useSaveSettings();
  const { devices = [] } = useAudioDevices('audiooutput');
  if (!canChooseOutput() || settings === undefined) return null;
  const { speakerId } = settings.device;
  const isListed = speakerId === null || devices.some(({ id }) => id === speakerId);
  return (
    <>
      <Select
        label={t('Play sound on')}
        value={speakerId ?? SYSTEM_OUTPUT}
        onChange={(value) => save.device({ speakerId: value === SYSTEM_OUTPUT ? null : value })}
        options={[
          { value: SYSTEM_OUTPUT, label: t('System default') },
          ...devices.map(({ id, name }) => ({ value: id, label: name })),
          ...(isListed ? [] : [{ value: speakerId, label: t('A device that isn’t connected') }]),
        ]}
      />
      {devices.length === 0 && (
        <MutedText small>{t('Run the microphone check once to see your speakers and headsets here.')}</MutedText>
      )}
      <SavedNotice save={save} />
      <OutputMissingBanner />
    </>
  );
}
