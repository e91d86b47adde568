/** Locates files that the host reads but that are not bundled: in the source tree, or where the packager put them. */
import { join } from 'node:path';

export interface AppLocation {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Electron's `process.resourcesPath`. */
  resourcesDir: string;
  /** The folder of the built main process. */
  mainDir: string;
}

export interface ResourcePaths {
  rendererDir: string;
  preloadFile: string;
  hostFile: string;
  migrationsDir: string;
  modelDir: string;
  scorerWorkerFile: string;
  voiceWorkerFile: string;
  opusWorkerFile: string;
  transcriptionWorkerFile: string;
  trayIconFile: string;
}

export function resourcePaths({ platform, isPackaged, resourcesDir, mainDir }: AppLocation): ResourcePaths {
  // Workers and their WebAssembly are unpacked next to the archive, because a worker may not be able to read archives.
  const workerDir = isPackaged ? mainDir.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked') : mainDir;
  // The macOS menu bar takes a smaller image, which it recolours because of its name.
  const trayIcon = platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
  return {
    rendererDir: join(mainDir, '../renderer'),
    preloadFile: join(mainDir, '../preload/preload.cjs'),
    hostFile: join(mainDir, 'host-process.js'),
    migrationsDir: isPackaged ? join(resourcesDir, 'migrations') : join(mainDir, '../../src/host/store/migrations'),
    modelDir: isPackaged ? join(resourcesDir, 'models') : join(mainDir, '../../../packages/speech/models'),
    scorerWorkerFile: join(workerDir, 'scorer-worker.mjs'),
    voiceWorkerFile: join(workerDir, 'flite-worker.mjs'),
    opusWorkerFile: join(workerDir, 'opus-worker.mjs'),
    transcriptionWorkerFile: join(workerDir, 'transcription-worker.mjs'),
    trayIconFile: isPackaged ? join(resourcesDir, trayIcon) : join(mainDir, '../../build', trayIcon),
  };
}
