/**
 * Import: brings the contents of an export to this computer. The file is sent in chunks, previewed, and then applied or
 * discarded.
 */
import { z } from 'zod';
import { base } from './base.ts';

export const IMPORT_CHUNK_BYTES: number = 4 * 1_048_576;

const ImportInput = z.object({ importId: z.uuid() });
const Count = z.number().int().min(0);

/** `here` counts rows that are already here and unchanged, or newer here. */
const Counted = z.object({ inFile: Count, toImport: Count });

export const ImportPreview = z.object({
  exportedAt: z.date(),
  /** The address of the learner who made the export; null when they had no account. */
  email: z.string().nullable(),
  /** Whether all conversations could be downloaded when the file was exported. */
  isComplete: z.boolean(),
  practices: Counted,
  /** Practices in the file that were deleted here. An import leaves them deleted. */
  deletedHere: Count,
  /** Rows of the attempt log. */
  words: Counted,
  /** Rows of the attempt log that an import leaves out, because they have no word or no valid day. */
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
  /** Cancels an import that was started earlier and not applied. */
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
