/** The addresses at which operating systems open their settings for microphone access. Linux has none. */
export const MICROPHONE_SETTINGS_ADDRESSES = {
  mac: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone',
  windows: 'ms-settings:privacy-microphone',
} as const;
