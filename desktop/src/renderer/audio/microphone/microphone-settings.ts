/** Opens the system's settings for the microphone, which only the installed app can do. */
import { MICROPHONE_SETTINGS_ADDRESSES } from '@parley/contract';

export const isInstalledApp = (userAgent: string): boolean => userAgent.includes('Electron/');

/** Null where there is nothing to open: in a browser, and on Linux. */
export function microphoneSettingsAddress(userAgent: string): string | null {
  if (!isInstalledApp(userAgent)) return null;
  if (userAgent.includes('Macintosh')) return MICROPHONE_SETTINGS_ADDRESSES.mac;
  return userAgent.includes('Windows') ? MICROPHONE_SETTINGS_ADDRESSES.windows : null;
}

export const openMicrophoneSettings = (address: string): void => void window.open(address, '_blank', 'noopener');
