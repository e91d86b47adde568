/**
 * Counts the words of everyday English for the drafts: `node build-language.ts DATA ../../catalogue/content ../models/language.tsv.br`
 *
 * From the catalogue's own texts and the transcripts of DATA/english, without the speakers that `prepare_speech.py` holds out.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, crc32 } from 'node:zlib';
import { BOUNDARY, countWords } from '../src/transcribe/language-model.ts';
import { loadDictionary } from '../src/pronounce/dictionary.ts';
import { MODEL_DIR } from '../src/score/model-dir.ts';

const [data, content, out] = process.argv.slice(2);
if (data === undefined || content === undefined || out === undefined)
  throw new Error('node build-language.ts DATA CONTENT OUT');

const CORPORA = /^(commonvoice|ljspeech|librispeech|kathleen)/;
const HELD_OUT_PER_MILLE = 100;
/** A word that occurs once is as likely to be a transcription error as a real word. */
const MIN_COUNT = 2;

const texts: string[] = [];
for (const folder of await readdir(join(data, 'english'))) {
  if (!CORPORA.test(folder)) continue;
  const lines = (await readFile(join(data, 'english', folder, 'utterances.jsonl'), 'utf8')).trim().split('\n');
  const seen = new Set<string>();
  for (const line of lines) {
    const { text, speaker } = JSON.parse(line) as { text: string; speaker: string };
    if (crc32(speaker) % 1000 < HELD_OUT_PER_MILLE || seen.has(text)) continue;
    seen.add(text);
    texts.push(text);
  }
}
for (const file of (await readdir(content, { recursive: true })).filter((name) => name.endsWith('.yaml')).toSorted())
  for (const line of (await readFile(join(content, file), 'utf8')).split('\n')) texts.push(...sentencesOfLine(line));

/**
 * The spoken text in a line of a content file: without its key, its list marker, its objectives and its placeholders.
 */
function sentencesOfLine(line: string): string[] {
  const bare = line.replace(/^\s*-?\s*(?:[\w-]+:\s+)?/, '').replace(/^\[(?=['"])|\]$/g, '');
  const spoken = bare
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/(?<![a-z])['"]|['"](?![a-z])/gi, ' ');
  return spoken.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length < 2 ? [] : [spoken];
}

const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
const counts = countWords(texts);
const isKept = (word: string): boolean =>
  word === BOUNDARY || ((counts.words.get(word) ?? 0) >= MIN_COUNT && dictionary(word).length > 0);
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
const lines: string[] = [];
/** The counts that the omitted pairs would have had. */
const unpaired = new Map([...counts.words].filter(([word]) => isKept(word)));
for (const [previous, followers] of [...counts.pairs].toSorted(byName)) {
  if (!isKept(previous)) continue;
  for (const [word, count] of [...followers].toSorted(byName)) {
    if (count < MIN_COUNT || !unpaired.has(word)) continue;
    lines.push(`${previous}\t${word}\t${count}`);
    unpaired.set(word, (unpaired.get(word) ?? 0) - count);
  }
}
for (const [word, count] of [...unpaired].toSorted(byName)) if (count > 0) lines.push(`=\t${word}\t${count}`);
const packed = brotliCompressSync(Buffer.from(lines.join('\n')), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
await writeFile(out, packed);
console.error(`${texts.length} texts, ${unpaired.size} words, ${packed.length} bytes`);
