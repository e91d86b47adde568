/** Reads the files of a course pack, in a worker thread that is terminated if it takes too long. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPack } from '@parley/catalogue/pack';

const { files, media } = workerData as { files: Parameters<typeof readPack>[0]; media: Parameters<typeof readPack>[1] };
parentPort?.postMessage(readPack(files, media));
