/**
 * Messages in the reader's language. A message is its English text, in ICU syntax: a catalogue is one file, `locales/<language>.json`, that
 * maps each English message to its translation. A message without a translation is shown in English.
 */
import { i18n, type Messages, setupI18n } from '@lingui/core';
import { compileMessage } from './compile-message.ts';
import { type Formats, formatsOf } from './formats.ts';

export const SOURCE_LANGUAGE = 'en';
/** English with accents and 80 % longer, which reveals literals and narrow places. */
export const PSEUDO_LANGUAGE = 'en-XA';

export type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

i18n.setMessagesCompiler(compileMessage);
i18n.load(SOURCE_LANGUAGE, {});
i18n.activate(SOURCE_LANGUAGE);

export { i18n };

/** The message in the active language. */
export const t = (message: string, values?: Values): string => i18n._(message, values);

/** Shows all further messages in this language. Text that was computed before does not change. */
export function activateLanguage(language: string, catalogue: Catalogue): void {
  i18n.load(language, catalogue as Messages);
  i18n.activate(language);
}

/** The locale of dates and numbers: British English for English. */
export const formatLocale = (): string => localeOf(i18n.locale);

/** In the active language. */
export const formatList: Formats['formatList'] = (items) => formatsOf(formatLocale()).formatList(items);
export const formatSeconds: Formats['formatSeconds'] = (seconds) => formatsOf(formatLocale()).formatSeconds(seconds);
export const formatBytes: Formats['formatBytes'] = (bytes) => formatsOf(formatLocale()).formatBytes(bytes);

/**
 * The separator between the cells of a CSV file: in languages with decimal commas, Excel opens a file with commas as
 * one column.
 */
export const csvSeparator = (): ',' | ';' => ((1.5).toLocaleString(formatLocale()).includes(',') ? ';' : ',');

export type Translate = (message: string, values?: Values) => string;

/** The messages and formats of one language, for a server that speaks several languages at once. */
export interface Localizer {
  language: string;
  /** The locale of dates and numbers. */
  locale: string;
  direction: 'ltr' | 'rtl';
  t: Translate;
  formatDay: (at: Date, timeZone: string) => string;
  formatNumber: (value: number) => string;
}

const localeOf = (language: string): string => (language === SOURCE_LANGUAGE ? 'en-GB' : language);

/** Lingui compiles a message each time it is shown, and a server shows the same ones all day. */
const compiled = new Map<string, ReturnType<typeof compileMessage>>();
function compileOnce(message: string): ReturnType<typeof compileMessage> {
  const known = compiled.get(message) ?? compileMessage(message);
  compiled.set(message, known);
  return known;
}

export function createLocalizer(language: string, catalogue: Catalogue): Localizer {
  const own = setupI18n({ locale: language, messages: { [language]: catalogue } });
  own.setMessagesCompiler(compileOnce);
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  return {
    language,
    locale,
    direction: directionOf(language),
    t: (message, values) => own._(message, values),
    formatDay: (at, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at),
    formatNumber: (value) => numbers.format(value),
  };
}

/** Right-to-left scripts of languages that have a catalogue or may get one. */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';

/** The name of the language in that language. */
export function ownNameOf(language: string): string {
  return capitalise(new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language, language);
}

/** Capitalises a name at the beginning of a sentence, because many languages write the names of days and languages in lower case. */
export const capitalise = (name: string, locale: string): string =>
  name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);

/** The first wanted language that is available, by its exact tag, then by its script or language; English otherwise. */
export function chooseLanguage(wanted: readonly string[], available: readonly string[]): string {
  for (const tag of wanted) {
    const exact = available.find((language) => language.toLowerCase() === tag.toLowerCase());
    if (exact !== undefined) return exact;
    const likely = likelyTag(tag);
    if (likely === null) continue;
    if (likely.language === SOURCE_LANGUAGE) return SOURCE_LANGUAGE;
    const related = available.find((language) => {
      const candidate = likelyTag(language);
      return candidate?.language === likely.language && candidate?.script === likely.script;
    });
    if (related !== undefined) return related;
  }
  return SOURCE_LANGUAGE;
}

function likelyTag(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ö',
  S: 'Š',
  U: 'Ü',
};

/** Lengthens text by 80 % and accents it, leaving placeholders and tags alone. */
function lengthen(text: string): string {
  const parts = text.split(/(\{\w+\}|<\/?\d+\/?>)/);
  const length = parts.filter((_, index) => index % 2 === 0).join('').length;
  if (!/\p{L}/u.test(text)) return text;
  const accented = parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => ACCENTED[letter] ?? letter)))
    .join('');
  // In pieces of ten, because a language with longer texts has more words rather than endless ones.
  return accented + '~'.repeat(Math.ceil(length * 0.8)).replaceAll(/~{10}(?=~)/g, '$& ');
}

/** The index after the bracket that closes the one at `start`. */
function endOfBlock(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Lengthens a text and the cases of its plurals. */
function lengthenCases(text: string): string {
  const plural = /\{\w+,[^{]*/.exec(text);
  if (plural === null) return lengthen(text);
  const end = endOfBlock(text, plural.index);
  let block = plural[0];
  for (let at = plural.index + block.length; at < end - 1;) {
    const caseEnd = endOfBlock(text, at);
    const next = text.indexOf('{', caseEnd);
    const gapEnd = next === -1 || next >= end ? end - 1 : next;
    block += `{${lengthenCases(text.slice(at + 1, caseEnd - 1))}}${text.slice(caseEnd, gapEnd)}`;
    at = gapEnd;
  }
  return `${lengthen(text.slice(0, plural.index))}${block}}${lengthenCases(text.slice(end))}`;
}

/** Lengthens a message by 80 % and accents it, leaving placeholders, tags and plural keywords alone. */
export const pseudoTranslate = (message: string): string => `[${lengthenCases(message)}]`;

/** Translates any message into the pseudo language, so that literals stand out. */
export const PSEUDO_CATALOGUE: Catalogue = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, message) => (typeof message === 'string' ? pseudoTranslate(message) : undefined),
    // Lingui asks whether the catalogue itself has a message.
    getOwnPropertyDescriptor: (_, message) =>
      typeof message === 'string'
        ? { configurable: true, enumerable: true, value: pseudoTranslate(message) }
        : undefined,
  },
);
