/** Where the committed model lies when nobody says otherwise, and the files of its networks. */
import { fileURLToPath } from 'node:url';

export const MODEL_DIR: string = fileURLToPath(new URL('../../models/', import.meta.url));

/** As training/pack-model.ts writes them. */
export const ACOUSTIC_FILE = 'acoustic.onnx.br';

export const SEQUENCE_FILE = 'sequence.onnx.br';
