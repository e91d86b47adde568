/** Returns the data folder: `PARLEY_DATA_DIR`, or the system's usual place. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Home {
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
  homeDir?: string;
}

export function dataFolder({ platform, environment, homeDir = homedir() }: Home): string {
  const named = environment['PARLEY_DATA_DIR'];
  if (named !== undefined && named !== '') return resolve(named);
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'Parley');
  if (platform === 'win32') return join(environment['APPDATA'] || join(homeDir, 'AppData', 'Roaming'), 'Parley');
  return join(environment['XDG_DATA_HOME'] || join(homeDir, '.local', 'share'), 'parley');
}
