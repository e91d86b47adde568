/**
 * Compiles a message for Lingui: texts, `{name}` and `{count, plural, one {…} other {…}}`, which is all of ICU that our messages use.
 * Lingui's own compiler would be a twentieth of what the app loads before its first screen; a test compares the two on every message.
 */

/** A text, the name of a value, or the name of a count with its plural cases. */
type Token = string | [name: string] | [name: string, type: 'plural', cases: PluralCases];

interface PluralCases {
  [category: string]: Token[];
}

const ARGUMENT = /\{\s*(\w+)\s*(?:\}|,\s*plural\s*,)/y;
const CASE = /\s*(?:=(\d+)|(\w+))\s*\{/y;
const END_OF_CASES = /\s*\}/y;

/** A message that cannot be compiled is shown unchanged. */
export function compileMessage(message: string): Token[] {
  try {
    const reader = { message, at: 0 };
    const tokens = readTokens(reader, false);
    if (reader.at < message.length) throw new Error('A closing brace has no opening one.');
    return tokens;
  } catch {
    return [message];
  }
}

interface Reader {
  readonly message: string;
  at: number;
}

/** Reads up to the end of the message or up to (but not including) the brace that closes a plural case. */
function readTokens(reader: Reader, isInPlural: boolean): Token[] {
  const tokens: Token[] = [];
  const syntax = isInPlural ? /[{}#]/g : /[{}]/g;
  while (reader.at < reader.message.length) {
    syntax.lastIndex = reader.at;
    const next = syntax.exec(reader.message)?.index ?? reader.message.length;
    if (next > reader.at) tokens.push(reader.message.slice(reader.at, next));
    reader.at = next;
    const character = reader.message[next];
    if (character === undefined || character === '}') break;
    if (character === '#') {
      tokens.push('#');
      reader.at += 1;
    } else tokens.push(readArgument(reader));
  }
  return tokens;
}

function readArgument(reader: Reader): Token {
  const argument = read(reader, ARGUMENT);
  const name = argument?.[1];
  if (argument === null || name === undefined) throw new Error('This is neither a value nor a plural.');
  if (argument[0].endsWith('}')) return [name];
  const cases: PluralCases = {};
  for (let found = read(reader, CASE); found !== null; found = read(reader, CASE)) {
    cases[found[1] ?? found[2] ?? ''] = readTokens(reader, true);
    if (reader.message[reader.at] !== '}') throw new Error('A case of a plural is not closed.');
    reader.at += 1;
  }
  if (read(reader, END_OF_CASES) === null) throw new Error('A plural is not closed.');
  return [name, 'plural', cases];
}

function read(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.message);
  if (found !== null) reader.at = pattern.lastIndex;
  return found;
}
