/** Reads the files of a course pack. It runs in a thread of its own, which is ended when it takes too long. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPack } from '@parley/catalogue/pack';

const { files, media } = workerData as { files: Parameters<typeof readPack>[0]; media: Parameters<typeof readPack>[1] };
parentPort?.postMessage(readPack(files, media));
