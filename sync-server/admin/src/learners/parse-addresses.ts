/** Reads pasted addresses, or a CSV file: one person on each line, with the name before or after the address. */
import { Email, type Invitation } from '@parley/contract';

export interface ParsedAddresses {
  invitations: Invitation[];
  /** Lines without a valid address, with their numbers from 1. */
  problems: { line: number; text: string }[];
  /** How often an address was repeated. */
  repeated: number;
}

const SEPARATORS = /[\s<>,;"]+/;
const HEADER = /e-?mail|address/i;
const MAX_NAME_LENGTH = 200;

export function parseAddresses(text: string): ParsedAddresses {
  const byEmail = new Map<string, Invitation>();
  const problems: ParsedAddresses['problems'] = [];
  let repeated = 0;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const addresses = addressesIn(line);
    if (addresses.length === 0 && index === 0 && HEADER.test(line)) continue;
    if (addresses.length === 0) problems.push({ line: index + 1, text: line });
    // Only a line with one address says whose name it is.
    const name = addresses.length === 1 ? nameIn(line, addresses[0] ?? '') : { firstName: null, lastName: null };
    for (const address of addresses) {
      const email = Email.safeParse(address);
      if (!email.success) problems.push({ line: index + 1, text: address });
      else if (byEmail.has(email.data)) repeated += 1;
      else byEmail.set(email.data, { email: email.data, ...name });
    }
  }
  return { invitations: [...byEmail.values()], problems, repeated };
}

/** An apostrophe is part of an address such as o'brien@example.com; around an address, it is a quotation mark. */
const addressesIn = (line: string): string[] =>
  line
    .split(SEPARATORS)
    .map((part) => part.replace(/^'+/, '').replace(/'$/, ''))
    .filter((part) => part.indexOf('@') > 0 && !part.endsWith('@'));

/** The text around the address: columns of a table, or the words of a name. */
function nameIn(line: string, address: string): Pick<Invitation, 'firstName' | 'lastName'> {
  const cells = line
    .replace(address, '')
    .split(/[,;\t]/)
    .map((cell) => cell.replaceAll(/["<>]/g, '').trim())
    .filter((cell) => cell.replaceAll("'", '') !== '' && !(isMailbox(line) && TITLE.test(cell)));
  const ordered = isSurnameFirst(line) ? cells.toReversed() : cells;
  const [first = '', ...rest] = ordered.length > 1 ? ordered : (ordered[0] ?? '').split(/\s+/);
  const cut = (part: string): string | null => (part === '' ? null : part.slice(0, MAX_NAME_LENGTH).toWellFormed());
  return { firstName: cut(first), lastName: cut(rest.join(' ')) };
}

/** What follows a name after a comma without being a part of it. */
const TITLE = /^(?:Ph\.?D|M\.?D|MBA|MSc|Jr|Sr|II|III|IV|Esq)\.?$/;

/** As e-mail programs copy a recipient: a name before an address in angle brackets. */
const isMailbox = (line: string): boolean => line.split('<').length === 2 && line.endsWith('>');

/** As many e-mail programs copy a recipient: `Kowalczyk, Marta <marta@example.com>`. */
function isSurnameFirst(line: string): boolean {
  const [name = ''] = line.split('<');
  const parts = name.split(',').filter((part) => !TITLE.test(part.replaceAll('"', '').trim()));
  return isMailbox(line) && parts.length === 2 && !name.includes(';');
}
