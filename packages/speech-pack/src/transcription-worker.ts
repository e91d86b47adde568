/** The entry point of the worker thread that transcribes. The model is loaded with the first utterance. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadModel, type Model } from './load-model.ts';
import { DamagedPack, loadFiles, readManifest } from './pack-folder.ts';
import type { WorkerResponse } from './transcriber.ts';

let loading: Promise<Model> | null = null;

async function load(folder: string): Promise<Model> {
  const manifest = await readManifest(folder);
  if (manifest === null) throw new DamagedPack('speech-pack.json');
  return loadModel(manifest, await loadFiles(folder, manifest));
}

async function answer(pcm: Float32Array): Promise<WorkerResponse> {
  try {
    loading ??= load((workerData as { folder: string }).folder);
    const model = await loading;
    const startedAt = performance.now();
    const transcript = await model.transcribe(pcm);
    return { type: 'transcript', transcript, workMs: performance.now() - startedAt };
  } catch (error) {
    loading = null;
    const message = error instanceof Error ? error.message : String(error);
    return { type: error instanceof DamagedPack ? 'damaged' : 'failed', message };
  }
}

parentPort?.on('message', (pcm: Float32Array) => {
  void answer(pcm).then((response) => parentPort?.postMessage(response));
});
