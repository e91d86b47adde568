/** What nobody should write down about a learner: ways to reach them, numbers that stand for them, and secrets. */
import { plainLetters } from './visible-text.ts';

const PRIVATE: readonly RegExp[] = [
  /\S@\S|\b(at|\(at\)) \w+ (dot|\(dot\)) \w+/,
  /\b\w+:\/\/|\bwww\.|\b[a-z0-9-]+\.(com|org|net|io|dev|info|biz|co|ru|cn|de|fr|uk|example|invalid)\b/,
  // Telephone, card, account and identity numbers: seven digits or more, however they are grouped.
  /(\d[\s().+/-]{0,3}){7,}/,
  /\b[a-z]{2}\d{2}[ ]?([a-z0-9]{4}[ ]?){3,}/,
  /\b(password|passcode|passphrase|pin (code|number)|pin is|api ?key|access token|secret (key|code|word)|private key|credit card|iban|social security|passport (no|number)|account number)\b/,
  // A key: long, and letters and digits mixed.
  /\b(?=\w*\d)(?=\w*[a-z])[\w-]{20,}\b/,
  /\b(lives|stays|address|at)\b.{0,20}\b\d{1,5}[a-z]? (\w+ ){1,2}(street|st|road|rd|avenue|ave|lane|drive|boulevard|square)\b/,
];

export function holdsPrivateData(text: string): boolean {
  const plain = plainLetters(text);
  return PRIVATE.some((pattern) => pattern.test(plain));
}

/** Somewhere to click: a coach has nowhere to send anybody. */
const LINK = /\b(https?|ftp):\/\/|\bwww\.|\bmailto:|\bjavascript:|\bdata:\w+\//i;
export const holdsLink = (text: string): boolean => LINK.test(text);
