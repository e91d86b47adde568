/** Detects personal data that must not be stored: contact details, identifying numbers and secrets. */
import { foldForMatching } from './normalise-text.ts';

const CONTACT_PATTERNS: readonly RegExp[] = [
  /\S@\S|\b(at|\(at\)) \w+ (dot|\(dot\)) \w+/,
  /\b\w+:\/\/|\bwww\.|\b[a-z0-9-]+\.(com|org|net|io|dev|info|biz|co|ru|cn|de|fr|uk|example|invalid)\b/,
  // Telephone, card, account and identity numbers: seven or more digits in any grouping.
  /(\d[\s().+/-]{0,3}){7,}/,
];

const PRIVATE_DATA_PATTERNS: readonly RegExp[] = [
  ...CONTACT_PATTERNS,
  /\b[a-z]{2}\d{2}[ ]?([a-z0-9]{4}[ ]?){3,}/,
  /\b(password|passcode|passphrase|pin (code|number)|pin is|api ?key|access token|secret (key|code|word)|private key|credit card|iban|social security|passport (no|number)|account number)\b/,
  // An access key: long, with letters and digits mixed.
  /\b(?=\w*\d)(?=\w*[a-z])[\w-]{20,}\b/,
  /\b(lives|stays|address|at)\b.{0,20}\b\d{1,5}[a-z]? (\w+ ){1,2}(street|st|road|rd|avenue|ave|lane|drive|boulevard|square)\b/,
];

const matchesAny = (patterns: readonly RegExp[], text: string): boolean => {
  const plain = foldForMatching(text);
  return patterns.some((pattern) => pattern.test(plain));
};

export const containsPrivateData = (text: string): boolean => matchesAny(PRIVATE_DATA_PATTERNS, text);

/** Detects addresses and numbers that could lead a learner elsewhere. Words such as “password” are the subject of some practices. */
export const containsContactDetails = (text: string): boolean => matchesAny(CONTACT_PATTERNS, text);

/** A coach never has a reason to send a link. */
const LINK = /\b(https?|ftp):\/\/|\bwww\.|\bmailto:|\bjavascript:|\bdata:\w+\//i;
export const containsLink = (text: string): boolean => LINK.test(text);
