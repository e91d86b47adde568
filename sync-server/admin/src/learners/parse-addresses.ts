/** Parses pasted addresses or a CSV file with one person on each line, with the name before or after the address. */
import { Email, type Invitation } from '@parley/contract';
import { type NameColumns, readCells, readNameColumns } from './name-columns.ts';

export interface ParsedAddresses {
  invitations: Invitation[];
  /** Lines without a valid address, with their numbers from 1. */
  problems: { line: number; text: string }[];
  /** How many addresses were duplicates. */
  repeated: number;
}

const SEPARATORS = /[\s<>,;"]+/;
const HEADER = /mail|address|correo|メール|邮箱|邮件|البريد/i;
const MAX_NAME_LENGTH = 200;

export function parseAddresses(text: string): ParsedAddresses {
  const byEmail = new Map<string, Invitation>();
  const problems: ParsedAddresses['problems'] = [];
  let repeated = 0;
  let columns: NameColumns | null = null;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const addresses = addressesIn(line);
    if (addresses.length === 0 && index === 0) {
      columns = readNameColumns(line);
      if (columns !== null || HEADER.test(line)) continue;
    }
    const people = readRow(raw, columns) ?? peopleIn(line).flatMap(readPerson);
    if (people.length === 0) problems.push({ line: index + 1, text: line });
    for (const { address, ...name } of people) {
      const email = Email.safeParse(address);
      if (!email.success) problems.push({ line: index + 1, text: address });
      else if (byEmail.has(email.data)) repeated += 1;
      else byEmail.set(email.data, { email: email.data, ...name });
    }
  }
  return { invitations: [...byEmail.values()], problems, repeated };
}

/**
 * Parses a row of a table whose first line names its columns; null for any other line. A row without an address in that
 * column yields no person.
 */
function readRow(row: string, columns: NameColumns | null): Person[] | null {
  const cells = columns === null ? null : readCells(row, columns);
  if (columns === null || cells === null) return null;
  const [address, ...others] = addressesIn(cells.address);
  if (address === undefined && columns.addresses.length > 0) return [];
  if (address === undefined || others.length > 0) return null;
  if ('wholeName' in cells) return [{ address, ...toNames(inOrder(splitCells(cells.wholeName))) }];
  return [{ address, firstName: cutName(cells.firstName), lastName: cutName(cells.lastName) }];
}

/** E-mail programs copy several recipients as one line: `Marta Kowalczyk <marta@example.com>; Jan Novak <jan@example.com>`. */
function peopleIn(line: string): string[] {
  const parts = line
    .split(/;|(?<=>),/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // The cells of a table are not a list of people.
  return parts.every((part) => part.includes('@')) ? parts : [line];
}

type Person = Pick<Invitation, 'firstName' | 'lastName'> & { address: string };

function readPerson(text: string): Person[] {
  const addresses = addressesIn(text);
  // The name is unambiguous only if the text contains one address.
  const name = addresses.length === 1 ? nameIn(text, addresses[0] ?? '') : { firstName: null, lastName: null };
  return addresses.map((address) => ({ address, ...name }));
}

/** An apostrophe is part of an address such as o'brien@example.com; around an address, it is a quotation mark. */
const addressesIn = (line: string): string[] =>
  line
    .split(SEPARATORS)
    .map((part) => part.replace(/^'+/, '').replace(/'$/, ''))
    .filter((part) => part.indexOf('@') > 0 && !part.endsWith('@'));

/** The text around the address: columns of a table, or the words of a name. */
function nameIn(text: string, address: string): Pick<Invitation, 'firstName' | 'lastName'> {
  const cells = splitCells(text.replace(address, ''));
  const ordered = isRecipient(text) ? inOrder(cells.filter((cell, index) => index === 0 || !isSuffix(cell))) : cells;
  return toNames(ordered);
}

const splitCells = (text: string): string[] =>
  text
    .split(/[,;\t]/)
    .map((cell) => cell.replaceAll(/["<>]/g, '').trim())
    .filter((cell) => cell.replaceAll("'", '') !== '');

function toNames(parts: readonly string[]): Pick<Invitation, 'firstName' | 'lastName'> {
  const [first = '', ...rest] = parts.length > 1 ? parts : (parts[0] ?? '').split(/\s+/);
  return { firstName: cutName(first), lastName: cutName(rest.join(' ')) };
}

const cutName = (name: string): string | null => (name === '' ? null : name.slice(0, MAX_NAME_LENGTH).toWellFormed());

/** The form in which many e-mail programs copy a recipient: `Kowalczyk, Marta <marta@example.com>`. */
const isRecipient = (text: string): boolean => /^[^<;\t]*<[^<]*>$/.test(text);

/** The surname comes first when a single comma separates two names. */
const inOrder = (parts: readonly string[]): readonly string[] =>
  parts.length === 2 && parts.every((part) => /^\p{L}[^\d&]*$/u.test(part)) ? parts.toReversed() : parts;

/** Degrees, generational suffixes and company forms follow a name. Case matters, because Ba and Ma are names. */
const SUFFIXES = new Set(
  'BA BSc DDS DiplIng Dr Esq II III IV JD Jr LLM MA MBA MD MPH MSc PE PhD RN Sr AG BV Corp GmbH Inc LLC LLP Ltd PLC SA'.split(
    ' ',
  ),
);
const isSuffix = (part: string): boolean => SUFFIXES.has(part.replaceAll(/[.\s-]/g, ''));
