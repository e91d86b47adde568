/**
 * Writes CMUdict as the product reads it: `node build-dictionary.ts ../models/dictionary.tsv.br`. Lines `word<TAB>phones` in the order of their
 * bytes, each word's pronunciations in the order of the dictionary, end with a newline and are packed with Brotli.
 */
import { writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { dictionary } from 'cmu-pronouncing-dictionary';

const [, , out] = process.argv;
if (out === undefined) throw new Error('the argument is the output file');

const entries = Object.entries(dictionary).map(([entry, line]) => {
  const [, word = entry, variant = '1'] = /^(.+)\((\d+)\)$/.exec(entry) ?? [];
  const [phones = '', remark] = line.split(' # ');
  return { word, key: Buffer.from(`${word}\t`), variant: Number(variant), phones, isRemarked: remark !== undefined };
});
// A remark such as “org, irish” marks a rare word that is spelled like a common one.
const common = new Set(entries.flatMap(({ word, isRemarked }) => (isRemarked ? [] : [word])));
const lines = entries
  .filter(({ word, isRemarked }) => !isRemarked || !common.has(word))
  .toSorted((a, b) => Buffer.compare(a.key, b.key) || a.variant - b.variant)
  .map(({ key, phones }) => `${key.toString()}${phones}\n`);
const packed = brotliCompressSync(lines.join(''), {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 16 },
});
await writeFile(out, packed);
console.log(`${lines.length} pronunciations, ${packed.length} bytes`);
