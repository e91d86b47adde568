/** Saves settings at once and refreshes every screen that shows them. */
import type { DeviceSettings, Profile } from '@parley/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHost } from './host-context.tsx';

export interface SaveSettings {
  device: (change: Partial<DeviceSettings>) => void;
  /** `onSuccess` runs when the screens show the change. */
  profile: (change: Partial<Profile>, options?: { onSuccess: () => void }) => void;
  /** The error of the last save, or null when it succeeded. */
  error: unknown;
  /** Whether the last change is stored. */
  isSaved: boolean;
}

export function useSaveSettings(): SaveSettings {
  const { queries } = useHost();
  const queryClient = useQueryClient();
  const onSuccess = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queries.settings.key() });
  const device = useMutation(queries.settings.updateDevice.mutationOptions({ onSuccess }));
  const profile = useMutation(queries.settings.updateProfile.mutationOptions({ onSuccess }));
  const isSaving = device.isPending || profile.isPending;
  const error = device.error ?? profile.error;
  return {
    device: device.mutate,
    profile: profile.mutate,
    error,
    isSaved: !isSaving && error === null && (device.isSuccess || profile.isSuccess),
  };
}
