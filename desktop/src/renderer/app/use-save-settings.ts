/** Saves settings at once, and lets every screen that shows them know. */
import type { DeviceSettings, Profile } from '@parley/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHost } from './host-context.tsx';

export interface SaveSettings {
  device: (change: Partial<DeviceSettings>) => void;
  profile: (change: Partial<Profile>) => void;
  /** Of the last save; null when it went well. */
  error: unknown;
}

export function useSaveSettings(): SaveSettings {
  const { queries } = useHost();
  const cache = useQueryClient();
  const onSuccess = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.settings.key() });
  const device = useMutation(queries.settings.updateDevice.mutationOptions({ onSuccess }));
  const profile = useMutation(queries.settings.updateProfile.mutationOptions({ onSuccess }));
  return { device: device.mutate, profile: profile.mutate, error: device.error ?? profile.error };
}
