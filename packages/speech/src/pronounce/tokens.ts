/** Splits a text at white space, slashes and hyphens between words. */
import { normalizeSpelling } from '@parley/domain';
import { isDomain } from './addresses.ts';
import { isCurrencySign, withDecimalPoint } from './quantities.ts';

export interface Token {
  text: string;
  /** The text without the punctuation around it; empty when it is read as part of the previous or next token. */
  bare: string;
  isAfterSlash: boolean;
  /** Whether it belongs to the path of a web address. */
  isInPath: boolean;
}

export function tokensOf(text: string): Token[] {
  const tokens = normalizeAllButSigns(text)
    // The dash of “10–15” means “to”, and other dashes mean a pause.
    .replace(/\s*(?:(?!(?<=\d)–\d)[–—…]|-{2,})\s*/gu, ', ')
    .split(/\s+/u)
    .flatMap(splitAtSlashes);
  return tokens.map((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    // In “€ 50”, the number says the euros.
    const isNumber = /^\d/.test(token.bare) && !token.isAfterSlash;
    if (isNumber && before !== undefined && isCurrencySign(before.bare))
      return { ...token, bare: before.bare + token.bare };
    const isSaidByNumber = isCurrencySign(token.bare) && /^\d/.test(after?.bare ?? '') && after?.isAfterSlash === false;
    return isSaidByNumber ? { ...token, bare: '' } : token;
  });
}

function splitAtSlashes(chunk: string): Token[] {
  const parts = chunk.split('/').filter((part) => part !== '');
  return parts.flatMap((part, at) => {
    const words = /^[a-z']+(-[a-z']+)+[.,;:!?]*$/i.test(part) ? part.split('-') : [part];
    const isInPath = parts.slice(0, at).some((earlier) => isDomain(bareToken(earlier)));
    return words.map((word, index) => ({
      text: word,
      bare: bareToken(word),
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
      .replace(/^(\d[\d.,]*)([$€£])$/, '$2$1'),
  );
