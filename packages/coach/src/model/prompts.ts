/** Loads the prompt files and fills their placeholders, accepting only text that is safe in a prompt. */
import { readFileSync } from 'node:fs';

export const PROMPT_NAMES = [
  'reply',
  'judge',
  'judge-rest',
  'review',
  'hint',
  'translate',
  'draft-practice',
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

declare const trusted: unique symbol;
/** Text that may be part of a prompt: our own words, or delimited untrusted text. The compiler rejects everything else. */
export type PromptText = string & { readonly [trusted]: true };

/** Marks text as our own words. Never call it with text from a row, a request or a model. */
export const trustedText = (text: string): PromptText => text as PromptText;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const FOLDER = new URL('../../prompts/', import.meta.url);

const textByName: ReadonlyMap<PromptName, string> = new Map(
  PROMPT_NAMES.map((name) => [name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8').trim()]),
);

/** Returns a prompt with its placeholders unfilled. */
export function promptText(name: PromptName): string {
  const text = textByName.get(name);
  if (text === undefined) throw new Error(`there is no prompt "${name}"`);
  return text;
}

export const placeholdersOf = (name: PromptName): string[] =>
  [...promptText(name).matchAll(PLACEHOLDER)].flatMap(([, placeholder]) => placeholder ?? []);

/** Throws when a placeholder has no value or a value has no placeholder. Filled-in text is not searched for placeholders. */
export function fillPrompt(name: PromptName, values: Readonly<Record<string, PromptText>> = {}): PromptText {
  const placeholders = new Set(placeholdersOf(name));
  const unused = Object.keys(values).filter((key) => !placeholders.has(key));
  if (unused.length > 0) throw new Error(`prompt "${name}" has no placeholder for ${unused.join(', ')}`);
  const filled = promptText(name).replace(PLACEHOLDER, (_, placeholder: string) => {
    const value = values[placeholder];
    if (value === undefined) throw new Error(`prompt "${name}": {{${placeholder}}} has no value`);
    return value;
  });
  return trustedText(filled);
}
