/** The prompts: files of our own words, read once, whose placeholders take only text that was made fit for them. */
import { readFileSync } from 'node:fs';

export const PROMPT_NAMES = [
  'reply',
  'judge',
  'judge-rest',
  'review',
  'hint',
  'translate',
  'level/beginner',
  'level/intermediate',
  'level/advanced',
  'level/unknown',
  'difficulty/easy',
  'difficulty/intermediate',
  'difficulty/hard',
  'moment/opening',
  'moment/under-way',
  'moment/farewell',
  'moment/closing',
  'moment/last',
  'moment/realtime',
] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];

declare const fit: unique symbol;
/** Text that may stand in a prompt: our own, or somebody's behind a fence. The compiler keeps everything else out. */
export type PromptText = string & { readonly [fit]: true };

/** Declares words of ours. Never for text that came from a row, a request or a model. */
export const ourWords = (text: string): PromptText => text as PromptText;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const FOLDER = new URL('../../prompts/', import.meta.url);

const textByName: ReadonlyMap<PromptName, string> = new Map(
  PROMPT_NAMES.map((name) => [name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8').trim()]),
);

/** A prompt as it was written, placeholders and all. */
export function promptText(name: PromptName): string {
  const text = textByName.get(name);
  if (text === undefined) throw new Error(`there is no prompt "${name}"`);
  return text;
}

export const placeholdersOf = (name: PromptName): string[] =>
  [...promptText(name).matchAll(PLACEHOLDER)].flatMap(([, placeholder]) => placeholder ?? []);

/** Throws where a placeholder has no value, or a value no placeholder. What is filled in is not searched for placeholders again. */
export function fillPrompt(name: PromptName, values: Readonly<Record<string, PromptText>> = {}): PromptText {
  const placeholders = new Set(placeholdersOf(name));
  const unused = Object.keys(values).filter((key) => !placeholders.has(key));
  if (unused.length > 0) throw new Error(`prompt "${name}" has no place for ${unused.join(', ')}`);
  const filled = promptText(name).replace(PLACEHOLDER, (_, placeholder: string) => {
    const value = values[placeholder];
    if (value === undefined) throw new Error(`prompt "${name}": {{${placeholder}}} was not filled`);
    return value;
  });
  return ourWords(filled);
}
