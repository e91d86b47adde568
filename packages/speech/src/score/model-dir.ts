/** Where the committed model lies when nobody says otherwise. */
import { fileURLToPath } from 'node:url';

export const MODEL_DIR: string = fileURLToPath(new URL('../../models/', import.meta.url));
