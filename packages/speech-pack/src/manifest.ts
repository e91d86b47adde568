/** The manifest of a speech pack: a model that transcribes English on the learner's own computer, and its licence. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

export const MANIFEST_NAME: string = 'speech-pack.json';
/** Size limit of the manifest itself. */
export const MAX_MANIFEST_BYTES: number = 64 * 1024;
/** Size limit of all files together: a larger model would not run well on a laptop. */
export const MAX_PACK_BYTES: number = 1024 ** 3;
const MAX_FILES = 40;

/** How the weights are stored, which is part of the names of the model's files. */
export const PRECISIONS = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;

/** The file names of models made for transformers.js: all in one folder, the weights in `onnx`. */
export const PackPath = z.string().regex(/^(?:onnx\/)?\w[\w-]*(?:\.[\w-]+)*$/);

const PackFile = z.object({
  path: PackPath,
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type PackFile = z.infer<typeof PackFile>;

/** Without these no model can be loaded. */
export const REQUIRED_FILES: readonly string[] = ['config.json', 'preprocessor_config.json', 'tokenizer.json'];

export const SpeechPackManifest = z
  .object({
    format: z.literal(1),
    name: z.string().trim().min(1).max(80),
    /** An SPDX identifier, such as `MIT`. */
    licence: z.string().trim().min(1).max(80),
    /** A page about the model, where its licence can be read. */
    source: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .nullable(),
    precision: z.enum(PRECISIONS),
    files: z.array(PackFile).min(1).max(MAX_FILES),
  })
  .refine(({ files }) => new Set(files.map(({ path }) => path.toLowerCase())).size === files.length, {
    error: 'Two files have the same name.',
  })
  .refine(({ files }) => files.every(({ path }) => path !== MANIFEST_NAME), {
    error: 'The manifest does not list itself.',
  })
  .refine(({ files }) => REQUIRED_FILES.every((name) => files.some(({ path }) => path === name)), {
    error: `The model needs the files ${REQUIRED_FILES.join(', ')}.`,
  })
  .refine(({ files }) => files.some(({ path }) => path.endsWith('.onnx')), { error: 'No file holds weights (.onnx).' })
  .refine((manifest) => packBytes(manifest) <= MAX_PACK_BYTES, { error: 'The files are larger than 1 GiB together.' });
export type SpeechPackManifest = z.infer<typeof SpeechPackManifest>;

/** The size of all files, in bytes. */
export const packBytes = ({ files }: { files: readonly PackFile[] }): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Identifies the pack by the hashes of all its files, so that what was shown can be compared with what is downloaded. Hexadecimal. */
export function packHash({ files }: { files: readonly PackFile[] }): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    hash.update(`${sha256}  ${path}\n`);
  return hash.digest('hex');
}

/** Returns null for text that is not a manifest. */
export function parseManifest(text: string): SpeechPackManifest | null {
  try {
    const parsed = SpeechPackManifest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
