/** Import: what an export holds is brought to this computer. The file is sent in chunks, looked at, and then applied or left. */
import { z } from 'zod';
import { base } from './base.ts';

export const IMPORT_CHUNK_BYTES: number = 4 * 1_048_576;

const ImportInput = z.object({ importId: z.uuid() });
const Count = z.number().int().min(0);

/** `here` are here already and stay as they are, or are newer here. */
const Counted = z.object({ inFile: Count, toImport: Count });

export const ImportPreview = z.object({
  exportedAt: z.date(),
  /** The address of the learner who made the export; null when they had no account. */
  email: z.string().nullable(),
  /** Whether all conversations could be downloaded when the file was exported. */
  isComplete: z.boolean(),
  practices: Counted,
  /** Practices of the file that were deleted here. An import leaves them deleted. */
  deletedHere: Count,
  /** Rows of the attempt log. */
  words: Counted,
  /** Rows of the attempt log that an import leaves out, because they have no word or no real day. */
  unusableWords: Count,
  recordings: Counted,
  /** Everything else: profile, turns, courses. */
  others: Counted,
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const ImportResult = z.object({
  practices: Count,
  words: Count,
  recordings: Count,
  /** Recordings that could not be read in the file; everything else was imported. */
  damagedRecordings: Count,
});
export type ImportResult = z.infer<typeof ImportResult>;

export const importContract = {
  /** Ends an import that was begun before and not applied. */
  begin: base.input(z.void()).output(ImportInput),
  /** `offset` is the number of bytes sent so far; a chunk that was already received is ignored. */
  append: base
    .input(ImportInput.extend({ offset: Count, bytes: z.instanceof(Blob) }))
    .output(z.object({ received: Count })),
  preview: base.input(ImportInput).output(ImportPreview),
  /** Imports all rows or none. */
  apply: base.input(ImportInput).output(ImportResult),
  /** How many recordings `apply` has copied. */
  progress: base.input(ImportInput).output(z.object({ done: Count, total: Count })),
  cancel: base.input(ImportInput).output(z.void()),
};
