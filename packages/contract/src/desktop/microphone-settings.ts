/** The addresses at which operating systems open the settings where a program is allowed to use the microphone. Linux has none. */
export const MICROPHONE_SETTINGS_ADDRESSES = {
  mac: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone',
  windows: 'ms-settings:privacy-microphone',
} as const;
