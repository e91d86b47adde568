/** Splits a text at white space, slashes and hyphens between words. */
import { normalizeSpelling } from '@parley/domain';
import { isDomain } from './addresses.ts';
import { isCurrencySign, signOfCode, withDecimalPoint } from './quantities.ts';

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

/** The parts of “Wi-Fi” are said in another way than alone. */
const SAID_AS_ONE = /^(?:wi|sci)-fi(?![a-z])/i;

export function tokensOf(text: string): Token[] {
  const tokens = normalizeAllButSigns(text)
    .replace(SPACED_GROUPS, (number) => number.replaceAll(' ', GROUP_SPACE))
    // The dash of “10–15” and “9am–5pm” means “to”, and other dashes mean a pause.
    .replace(/\s*(?:(?!(?<=\d(?:%|k|m|bn|[ap]m)?)–\p{Sc}?\d)[–—…]|-{2,})\s*/giu, ', ')
    .split(/\s+/u)
    .flatMap(splitAtSlashes)
    .map(withCurrencySign);
  return tokens.map((token, index) => {
    if (isSignBeforeNumber(tokens, index)) return { ...token, bare: '' };
    // In “€ 50” and “EUR 50”, the number says the euros.
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

function splitAtSlashes(chunk: string): Token[] {
  const parts = chunk.split('/').filter((part) => part !== '');
  return parts.flatMap((part, at) => {
    const isSplit = /^[a-z']+(-[a-z']+)+[.,;:!?]*$/i.test(part) && !SAID_AS_ONE.test(part);
    const words = isSplit ? part.split('-') : [part];
    const isInPath = parts.slice(0, at).some((earlier) => isDomain(bareToken(earlier)));
    return words.map((word, index) => ({
      text: word.replaceAll(GROUP_SPACE, ' '),
      bare: bareToken(word.replaceAll(GROUP_SPACE, '')),
      isAfterSlash: at > 0 && index === 0,
      isInPath,
    }));
  });
}

/** Normalizing turns “2½” into “21⁄2” and “m²” into “m2”, which is not what the learner sees. */
const normalizeAllButSigns = (text: string): string =>
  text
    .split(/([½¼¾⅓⅔²³])/)
    .map((part, index) => (index % 2 === 0 ? normalizeSpelling(part) : part))
    .join('');

const bareToken = (token: string): string =>
  withDecimalPoint(
    token
      .replace(/^["'“”„«»([{<]+|["'“”»«)\]}>,;:!?]+$/g, '')
      .replace(/\.+$/, '')
      .replaceAll('–', '-')
      .replace(/^(?:US|AU?|CA?|NZ|HK|SG?)(?=\$\d)/, '')
      .replace(/^(\d[\d.,]*)(\p{Sc})$/u, '$2$1'),
  );
