/** Where the files lie that the host reads but nobody bundles: in the source tree, or where the packager put them. */
import { join } from 'node:path';

export interface AppPlace {
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
}

export function resourcePaths({ isPackaged, resourcesDir, mainDir }: AppPlace): ResourcePaths {
  // Threads and their WebAssembly are real files, beside the archive: they must not depend on what a thread knows of archives.
  const threadDir = isPackaged ? mainDir.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked') : mainDir;
  return {
    rendererDir: join(mainDir, '../renderer'),
    preloadFile: join(mainDir, '../preload/preload.cjs'),
    hostFile: join(mainDir, 'host-process.js'),
    migrationsDir: isPackaged ? join(resourcesDir, 'migrations') : join(mainDir, '../../src/host/store/migrations'),
    modelDir: isPackaged ? join(resourcesDir, 'models') : join(mainDir, '../../../packages/speech/models'),
    scorerWorkerFile: join(threadDir, 'scorer-worker.mjs'),
    voiceWorkerFile: join(threadDir, 'flite-worker.mjs'),
  };
}
