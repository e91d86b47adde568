/**
 * Prints how the product pronounces texts: JSON lines `{"id","text"}` on standard input become `{"id","words"}` on
 * standard output, each word a list of its pronunciations (phones with stress, likeliest first; empty if the word
 * cannot be pronounced).
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { loadDictionary } from '../src/pronounce/dictionary.ts';
import { pronounceText } from '../src/pronounce/pronounce.ts';
import { MODEL_DIR } from '../src/score/model-dir.ts';

const Line = z.object({ id: z.string(), text: z.string() });

const dictionary = await loadDictionary(MODEL_DIR);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = Line.parse(JSON.parse(line));
  const words = pronounceText(text, dictionary).map(({ pronunciations }) => pronunciations.map(({ phones }) => phones));
  process.stdout.write(`${JSON.stringify({ id, words })}\n`);
}
