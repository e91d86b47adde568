/**
 * Checks the message catalogues: each language translates every message of the sources, with the same placeholders and tags, and no more.
 * Also finds English literals in screens that were not put into the catalogue. Run by `npm run check`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { convertLiterals } from './literals.ts';
import { uniqueMessages } from './read-messages.ts';

export const LOCALES_DIR = 'packages/i18n/src/locales';

/** Names of values, and the tags of elements, in the order of the alphabet. */
function placeholdersOf(message: string): string[] {
  const values = new Set<string>();
  const collect = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens as unknown[]) {
      if (!Array.isArray(token)) continue;
      const [name, , options] = token as [string, string?, Record<string, unknown>?];
      values.add(name);
      for (const option of Object.values(options ?? {})) collect(option);
    }
  };
  collect(compileMessage(message));
  const tags = message.match(/<\/?\d+\/?>/g) ?? [];
  return [...values, ...tags].toSorted();
}

export function findProblems(
  language: string,
  catalogue: Readonly<Record<string, string>>,
  messages: readonly string[],
): string[] {
  const problems: string[] = [];
  for (const message of messages) {
    const translation = catalogue[message];
    if (translation === undefined || translation.trim() === '')
      problems.push(`${language}: not translated: ${message}`);
    else if (placeholdersOf(message).join() !== placeholdersOf(translation).join())
      problems.push(`${language}: other placeholders than "${message}": ${translation}`);
  }
  const known = new Set(messages);
  for (const message of Object.keys(catalogue))
    if (!known.has(message)) problems.push(`${language}: no screen says: ${message}`);
  return problems;
}

export async function checkCatalogues(
  rootDir: string,
): Promise<{ problems: string[]; messages: number; languages: string[] }> {
  const messages = await uniqueMessages(rootDir);
  const files = (await readdir(join(rootDir, LOCALES_DIR))).filter((name) => name.endsWith('.json')).toSorted();
  const languages = files.map((name) => name.slice(0, -'.json'.length));
  const problems: string[] = [];
  for (const [index, name] of files.entries()) {
    const catalogue = JSON.parse(await readFile(join(rootDir, LOCALES_DIR, name), 'utf8')) as Record<string, string>;
    problems.push(...findProblems(languages[index] ?? name, catalogue, messages));
  }
  return { problems, messages: messages.length, languages };
}

/** Screens, without what is practised, drawn or spoken. */
const SCREENS_DIRS = ['desktop/src/renderer', 'sync-server/admin/src'];
const NO_SCREEN = /\.test\.|\.d\.ts$|worklet|router\.tsx$|translation-languages/;

/** The screens that contain English outside the catalogue. */
export async function findLiterals(rootDir: string): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of SCREENS_DIRS) {
    const names = await readdir(join(rootDir, folder), { recursive: true });
    for (const name of names.filter((each) => /\.tsx?$/.test(each) && !NO_SCREEN.test(each))) {
      const source = await readFile(join(rootDir, folder, name), 'utf8');
      if (convertLiterals(name, source) !== source)
        problems.push(`${join(folder, name)}: not in the catalogue; run node scripts/messages/convert-literals.ts`);
    }
  }
  return problems;
}
