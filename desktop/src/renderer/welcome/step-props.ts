import type { DeviceSettings, Profile } from '@parley/contract';

export interface StepProps {
  profile: Profile;
  device: DeviceSettings;
}
