/** Converts e-mail and web addresses to spoken words: their dots and other marks are words too. */

const EMAIL = /^[\p{L}\d._+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const WEB = /^www\.[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/iu;
/** Only lower-case endings that are not English words, because a space may be missing after a full stop. */
const DOMAIN = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.(?:com|org|net|edu|gov|info|io|ai|app|dev|eu|uk|de|fr|es|pl|nl|ch)$/u;

const MARKS: Readonly<Record<string, string>> = {
  '.': 'dot', '@': 'at', '_': 'underscore', '-': 'dash', '+': 'plus',
}; // prettier-ignore

export const isDomain = (token: string): boolean => WEB.test(token) || DOMAIN.test(token);

export const isAddress = (token: string): boolean => EMAIL.test(token) || isDomain(token);

/** `sayPart` converts the letters and digits between the marks. */
export function sayAddress(token: string, sayPart: (part: string) => string[]): string[] | null {
  if (!isAddress(token)) return null;
  const parts = token.match(/[\p{L}\d]+|[._@+-]/gu) ?? [];
  return parts.flatMap((part, index) => {
    const mark = MARKS[part];
    if (mark !== undefined) return [mark];
    const isCountry = part.length === 2 && part.toLowerCase() !== 'co' && index === parts.length - 1;
    const isSpelled = part.toLowerCase() === 'www' || isCountry;
    return isSpelled ? [...part.toLowerCase()] : sayPart(part);
  });
}
