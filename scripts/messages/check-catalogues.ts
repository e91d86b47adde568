/**
 * Checks the message catalogues: each language translates every message of the sources, with the same placeholders and tags, and no more.
 * The admin panel has catalogues of its own for what the shared ones lack, so that neither is loaded for the other; the explanations of the
 * starter catalogue have theirs, beside it. Also finds English literals in screens, pages and mails that were not put into a catalogue. Run by
 * `npm run check`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { avoidedWord } from './glossary.ts';
import { findHtmlLiterals } from './html-literals.ts';
import { convertLiterals } from './literals.ts';
import { readExplanations } from './read-explanations.ts';
import { type MessageUse, PANEL_SOURCES, readMessages, toUniqueMessages } from './read-messages.ts';

const LOCALES_DIR = 'packages/i18n/src/locales';
const PANEL_LOCALES_DIR = 'sync-server/admin/src/locales';
const EXPLANATIONS = 'packages/catalogue/translations/explanations-';

type Catalogue = Readonly<Record<string, string>>;

/** The names of values, and the tags of elements, in alphabetical order. */
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

export function findProblems(language: string, catalogue: Catalogue, messages: readonly string[]): string[] {
  const problems: string[] = [];
  for (const message of messages) {
    const translation = catalogue[message];
    if (translation === undefined || translation.trim() === '')
      problems.push(`${language}: not translated: ${message}`);
    else if (placeholdersOf(message).join() !== placeholdersOf(translation).join())
      problems.push(`${language}: other placeholders than "${message}": ${translation}`);
    else {
      const avoided = avoidedWord(language, message, translation);
      if (avoided !== undefined) problems.push(`${language}: "${avoided}" is not the glossary’s word: ${translation}`);
    }
  }
  const known = new Set(messages);
  for (const message of Object.keys(catalogue))
    if (!known.has(message)) problems.push(`${language}: no screen says: ${message}`);
  return problems;
}

/** A value that is not given leaves a gap in the sentence. `<Trans>` takes the message itself, not what `t()` returns. */
export const findGaps = (uses: readonly MessageUse[]): string[] =>
  uses
    .filter(
      ({ message, isFormattedBare }) =>
        isFormattedBare && placeholdersOf(message).some((name) => !name.startsWith('<')),
    )
    .map(({ message, file }) => `${file}: without values: ${message}`);

const readCatalogue = async (path: string): Promise<Catalogue> => JSON.parse(await readFile(path, 'utf8')) as Catalogue;

export async function checkCatalogues(
  rootDir: string,
): Promise<{ problems: string[]; messages: number; languages: string[] }> {
  const uses = await readMessages(rootDir);
  const panelUses = await readMessages(rootDir, PANEL_SOURCES);
  const messages = toUniqueMessages(uses);
  const shared = new Set(messages);
  const panelMessages = toUniqueMessages(panelUses).filter((message) => !shared.has(message));
  const explanations = readExplanations();
  const files = (await readdir(join(rootDir, LOCALES_DIR))).filter((name) => name.endsWith('.json')).toSorted();
  const languages = files.map((name) => name.slice(0, -'.json'.length));
  const problems: string[] = [...new Set(findGaps([...uses, ...panelUses]))];
  for (const language of languages) {
    const [catalogue, panelCatalogue, explained] = await Promise.all(
      [`${LOCALES_DIR}/`, `${PANEL_LOCALES_DIR}/`, EXPLANATIONS].map((start) =>
        readCatalogue(join(rootDir, `${start}${language}.json`)),
      ),
    );
    problems.push(...findProblems(language, catalogue ?? {}, messages));
    problems.push(...findProblems(language, panelCatalogue ?? {}, panelMessages).map((found) => `panel, ${found}`));
    problems.push(...findProblems(language, explained ?? {}, explanations));
  }
  return { problems, messages: messages.length + panelMessages.length + explanations.length, languages };
}

/** Screens, except for what is practised, drawn or spoken. */
const SCREENS_DIRS = ['desktop/src/renderer', 'sync-server/admin/src', 'packages/ui/src'];
/** Pages and mails are `html` templates. */
const PAGES_DIRS = ['sync-server/src/site', 'sync-server/src/web', 'sync-server/src/mail'];
const NO_SCREEN = /\.(test|suite)\.|\.d\.ts$|worklet|router\.tsx$|translation-languages/;

const readSources = async (rootDir: string, folder: string): Promise<{ path: string; source: string }[]> => {
  const names = await readdir(join(rootDir, folder), { recursive: true });
  return Promise.all(
    names
      .filter((name) => /\.tsx?$/.test(name) && !NO_SCREEN.test(name))
      .map(async (name) => ({
        path: join(folder, name),
        source: await readFile(join(rootDir, folder, name), 'utf8'),
      })),
  );
};

/** The screens, pages and mails that contain English outside the catalogue. */
export async function findLiterals(rootDir: string): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of SCREENS_DIRS)
    for (const { path, source } of await readSources(rootDir, folder))
      if (convertLiterals(path, source) !== source)
        problems.push(`${path}: not in the catalogue; run node scripts/messages/convert-literals.ts`);
  for (const folder of PAGES_DIRS)
    for (const { path, source } of await readSources(rootDir, folder))
      problems.push(...findHtmlLiterals(path, source).map((text) => `${path}: not in the catalogue: ${text}`));
  return problems;
}
