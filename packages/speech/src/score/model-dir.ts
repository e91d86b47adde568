/** The default location of the model, and the names of its network files. */
import { fileURLToPath } from 'node:url';

export const MODEL_DIR: string = fileURLToPath(new URL('../../models/', import.meta.url));

/** As written by training/pack-model.ts. */
export const ACOUSTIC_FILE = 'acoustic.onnx.br';

export const SEQUENCE_FILE = 'sequence.onnx.br';
