/** The computer's microphones, or its loudspeakers and headsets, updated whenever one is plugged in or unplugged. */
import { t } from '@parley/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';

export interface AudioDevice {
  id: string;
  name: string;
}

/** Chromium's entries that refer to another device in the same list. */
const ALIASES = ['default', 'communications'];

/** The browser reveals devices only after the learner has allowed the microphone once; until then ids are empty. */
async function listAudioDevices(kind: 'audioinput' | 'audiooutput'): Promise<AudioDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter((device) => device.kind === kind && device.deviceId !== '' && !ALIASES.includes(device.deviceId))
    .map(({ deviceId, label }, index) => ({
      id: deviceId,
      name:
        label !== ''
          ? label
          : kind === 'audioinput'
            ? t('Microphone {value}', { value: index + 1 })
            : t('Output {value}', { value: index + 1 }),
    }));
}

export interface AudioDevices {
  /** Undefined until the browser has listed them. */
  devices: readonly AudioDevice[] | undefined;
  /** Refreshes the list, for example because the learner has just allowed the microphone. */
  refresh: () => void;
}

export function useAudioDevices(kind: 'audioinput' | 'audiooutput'): AudioDevices {
  const cache = useQueryClient();
  const refresh = useCallback(() => void cache.invalidateQueries({ queryKey: ['audio_devices'] }), [cache]);
  useEffect(() => {
    navigator.mediaDevices.addEventListener('devicechange', refresh);
    return () => navigator.mediaDevices.removeEventListener('devicechange', refresh);
  }, [refresh]);
  // Not cached, because the microphone may be allowed between two visits.
  const listed = useQuery({ queryKey: ['audio_devices', kind], queryFn: () => listAudioDevices(kind), gcTime: 0 });
  return { devices: listed.data, refresh };
}
