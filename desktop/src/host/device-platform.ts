/** The operating system as the learner's list of devices names it. */
export function devicePlatform(platform: NodeJS.Platform): 'windows' | 'macos' | 'linux' | 'other' {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'macos';
  return platform === 'linux' ? 'linux' : 'other';
}
