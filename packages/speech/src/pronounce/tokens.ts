/** Splits a text at white space, slashes and hyphens between words. */
import { normalizeSpelling } from '@parley/domain';
import { isDomain } from './addresses.ts';
import { CALENDAR_DASH, isCalendarRange } from './calendar.ts';
import { isCurrencySign, signOfCode, withDecimalPoint } from './quantities.ts';
import { UNIT_NAMES } from './units.ts';

export interface Token {
  text: string;
  /** The text without the punctuation around it; empty when it is read as part of the previous or next token. */
  bare: string;
  isAfterSlash: boolean;
  /** Whether it belongs to the path of a web address. */
  isInPath: boolean;
}

/** Stands for the spaces of “10 000” while the text is split at the others. */
const GROUP_SPACE = '\u2060';
/** “1 500” and “600 000”. Three groups such as “600 123 456” are as likely a telephone number. */
const SPACED_GROUPS = /(?<!\d[ .,]?|[+#])(?:[1-9]\d?(?: \d{3})+|[1-9]\d{2}(?: \d{3})* 000)(?! ?\d)/g;

/** “1/2” is a half, unless it is a date or the first of two pages. */
const FRACTION_SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({ '1/2': '½', '1/4': '¼', '3/4': '¾', '1/3': '⅓', '2/3': '⅔' }),
);
const FRACTION = [...FRACTION_SIGNS.keys()].join('|');
const FRACTION_TOKEN = new RegExp(`^["'(]*(?:\\d+${GROUP_SPACE})?(?:${FRACTION})[.,;:!?)"']*$`);
const MIXED_NUMBER = new RegExp(`(?<![\\d.,/])(\\d{1,2}) (?=(?:${FRACTION})(?![\\d/]))`, 'g');
const BEFORE_NO_FRACTION = /^(?:on|by|since|until|before|from|page|slide|part|step|question|figure|photo|day|of)$/i;

/** The dash of “5 kg–10 kg”, “3 pm – 4 pm”, “10 – 15” and “FY24–FY25” means “to”, and becomes a word of its own. */
const UNIT = `(?:${UNIT_NAMES.join('|')}|[ap]\\.?m\\.?)`;
const SPACED_RANGE = new RegExp(`(\\d[\\d.,]*)( ?${UNIT})? [–-] (?=(\\p{Sc}?)(\\d[\\d.,]*))`, 'gu');
const RANGE_AFTER_UNIT = new RegExp(
  `(?<=\\d ${UNIT})[–-](?=\\p{Sc}?\\d)|(?<=FY\\d+|\\b\\d{4})[–-](?=FY\\d|\\p{Lu}\\p{Ll}{2} \\d)`,
  'gu',
);
const RANGE_MARK = '⁓';

/** The dash of “10–15” and “9am–5pm” means “to”, and other dashes mean a pause. */
const PAUSE_DASH = new RegExp(
  `\\s*(?:(?!(?<=\\d(?:%|°C|\\p{L}{1,3})?)–\\p{Sc}?\\d|${CALENDAR_DASH})[–—…]|-{2,})\\s*`,
  'gu',
);

/** “W/o” is “without”, and “w/” is “with”. */
const SHORT_WITH = /^w\/o?[.,;:!?]*$/i;

/** The parts of “Wi-Fi” and “mm-hm” are pronounced differently than on their own. */
const SAID_AS_ONE = /^(?:(?:wi|sci)-fi|m+-h+m+)(?![a-z])/i;

export function tokensOf(text: string): Token[] {
  const tokens = normalizeAllButSigns(text)
    .replace(SPACED_GROUPS, (number) => number.replaceAll(' ', GROUP_SPACE))
    .replace(MIXED_NUMBER, `$1${GROUP_SPACE}`)
    .replace(SPACED_RANGE, (all: string, from: string, unit = '', sign: string, to: string) =>
      unit !== '' || sign !== '' || Number(from) < Number(to) ? `${from}${unit} ${RANGE_MARK} ` : all,
    )
    .replace(RANGE_AFTER_UNIT, ` ${RANGE_MARK} `)
    .replace(PAUSE_DASH, ', ')
    .split(/\s+/u)
    .flatMap(splitAtSlashes)
    .map(withCurrencySign);
  return tokens.map((token, index) => {
    if (isSignBeforeNumber(tokens, index)) return { ...token, bare: '' };
    // In “€ 50” and “EUR 50”, the currency is read together with the number.
    if (isSignBeforeNumber(tokens, index - 1)) return { ...token, bare: (tokens[index - 1]?.bare ?? '') + token.bare };
    return token;
  });
}

const isNumber = (token: Token | undefined): boolean => /^\d/.test(token?.bare ?? '') && token?.isAfterSlash === false;

function withCurrencySign(token: Token, index: number, tokens: readonly Token[]): Token {
  const isAmount = isNumber(tokens[index - 1]) || isNumber(tokens[index + 1]);
  return isAmount ? { ...token, bare: signOfCode(token.bare) ?? token.bare } : token;
}

/** In “50 €, 20 €”, each sign belongs to the number before it. */
function isSignBeforeNumber(tokens: readonly Token[], index: number): boolean {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined || !isCurrencySign(token.bare) || !isNumber(after)) return false;
  return !/[,;:!?]$/.test(token.text) && !(isNumber(before) && !/[,;:!?]$/.test(before?.text ?? ''));
}

function splitAtSlashes(chunk: string, index: number, chunks: readonly string[]): Token[] {
  const isFraction = FRACTION_TOKEN.test(chunk) && !BEFORE_NO_FRACTION.test(chunks[index - 1] ?? '');
  const parts =
    isFraction || SHORT_WITH.test(chunk)
      ? [chunk]
      : chunk.split('/').filter((part) => part !== '' && !/^https?:$/i.test(part));
  return parts.flatMap((part, at) => {
    const isSplit =
      /^[a-z']+(-[a-z']+)+[.,;:!?]*$/i.test(part) && !SAID_AS_ONE.test(part) && !isCalendarRange(bareToken(part));
    const words = isSplit ? part.split('-') : [part];
    const isInPath = parts.slice(0, at).some((earlier) => isDomain(bareToken(earlier)));
    return words.map((word, place) => ({
      text: word.replaceAll(GROUP_SPACE, ' ').replace(RANGE_MARK, '–'),
      bare: bareToken(isFraction ? withFractionSign(word) : word.replaceAll(GROUP_SPACE, '')),
      isAfterSlash: at > 0 && place === 0,
      isInPath,
    }));
  });
}

const withFractionSign = (chunk: string): string =>
  chunk
    .replace(new RegExp(FRACTION), (fraction) => FRACTION_SIGNS.get(fraction) ?? fraction)
    .replaceAll(GROUP_SPACE, '');

/** Normalisation turns “2½” into “21⁄2”, “m²” into “m2” and “№” into “No”, which is not what the learner sees. */
const normalizeAllButSigns = (text: string): string =>
  text
    .replaceAll('′', "'")
    .replaceAll('″', '"')
    .split(/([½¼¾⅓⅔²³№])/)
    .map((part, index) => (index % 2 === 0 ? normalizeSpelling(part) : part))
    .join('');

const bareToken = (token: string): string =>
  withDecimalPoint(
    token
      .replace(/^["'“”„«»([{<]+|["'“”»«)\]}>,;:!?]+$/g, '')
      .replace(/\.+$/, '')
      .replaceAll(/[–−]/g, '-')
      .replace(/^(?:US|AU?|CA?|NZ|HK|SG?)(?=\$(?:\d|$))/, '')
      .replace(/^R\$(?=\d|$)/, '₢')
      .replace(/^(\d[\d.,]*)(\p{Sc})$/u, '$2$1'),
  );
