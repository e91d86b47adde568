/** Audio to phone posteriors, with a small network on WebAssembly. */
import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web/wasm';
import { OUTPUTS } from '../pronounce/phones.ts';
import { type LogMel, MEL_BANDS, normaliseBands } from '../signal/log-mel.ts';

/** The network halves the 10 ms frame rate. */
export const FRAME_MS = 20;

export interface Posteriors {
  frames: number;
  outputs: number;
  /** `frames` × `outputs` natural log-probabilities; output 0 is the blank. */
  logProbs: Float32Array;
}

export interface AcousticModel {
  run: (features: LogMel) => Promise<Posteriors>;
  close: () => Promise<void>;
}

export async function loadAcousticModel(modelFile: string, options: { threads: number }): Promise<AcousticModel> {
  ort.env.wasm.numThreads = options.threads;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(modelFile)), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  return {
    run: async (features) => {
      const input = new ort.Tensor('float32', normaliseBands(features), [1, features.frames, MEL_BANDS]);
      const { logProbs } = await session.run({ features: input });
      if (logProbs === undefined || !(logProbs.data instanceof Float32Array))
        throw new Error(`the acoustic model ${modelFile} has no output "logProbs"; train it again`);
      const data = logProbs.data;
      return { frames: data.length / OUTPUTS, outputs: OUTPUTS, logProbs: data };
    },
    close: () => session.release(),
  };
}
