/** A problem as a code with values, so that every reader gets the sentence in their own language. */
import { z } from 'zod';
import { PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '../../enumerations.ts';
import type { Translate } from '../../translate.ts';
import { DIALOGUE_SENTENCES } from './dialogue-sentences.ts';
import { DOCUMENT_SENTENCES } from './document-sentences.ts';
import { FILE_SENTENCES } from './file-sentences.ts';
import { msg } from './msg.ts';

export const EXPLANATIONS = { ...DOCUMENT_SENTENCES, ...DIALOGUE_SENTENCES, ...FILE_SENTENCES } as const;
export type ExplanationCode = keyof typeof EXPLANATIONS;

const CODES = Object.keys(EXPLANATIONS) as [ExplanationCode, ...ExplanationCode[]];

type PlaceholdersOf<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;
type Values = Readonly<Record<string, string | number>>;
/** The values that the sentence for a code needs. */
export type ValuesOf<Code extends ExplanationCode> = Readonly<
  Record<PlaceholdersOf<(typeof EXPLANATIONS)[Code]>, string | number>
>;

export const Explanation = z.strictObject({
  code: z.enum(CODES),
  /** The values of the placeholders. A `level` is one of the difficulties. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export interface Explanation {
  code: ExplanationCode;
  values: Record<string, string | number>;
}

/** A longer value is shortened, because its beginning is enough to find it in the document. */
const MAX_VALUE_LENGTH = 200;

export function explain<Code extends ExplanationCode>(
  code: Code,
  ...[values]: PlaceholdersOf<(typeof EXPLANATIONS)[Code]> extends never ? [] : [ValuesOf<Code>]
): Explanation {
  const entries = Object.entries<string | number>((values ?? {}) as Values);
  const shorten = (value: string | number): string | number =>
    typeof value === 'string' ? value.slice(0, MAX_VALUE_LENGTH).toWellFormed() : value;
  return { code, values: Object.fromEntries(entries.map(([name, value]) => [name, shorten(value)])) };
}

/** The names of the levels on screen. */
const LEVEL_NAMES: Readonly<Record<PracticeDifficulty, string>> = {
  easy: msg('Easy'),
  intermediate: msg('Medium'),
  hard: msg('Hard'),
};

/** The sentence for a reader; in English if no language is given, for example on the command line. */
export function explanationText({ code, values }: Explanation, t: Translate = inEnglish): string {
  const level = PRACTICE_DIFFICULTIES.find((difficulty) => difficulty === values['level']);
  return t(EXPLANATIONS[code], level === undefined ? values : { ...values, level: t(LEVEL_NAMES[level]) });
}

const inEnglish: Translate = (message, values = {}) =>
  message.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : placeholder;
  });
