/**
 * Makes statements on PGlite cheaper. PGlite sends the six protocol messages of a statement one by one, and each call
 * of its WebAssembly costs as much as running a short statement. Here the messages are sent together, and a statement
 * that recurs is parsed once.
 */
import type { PGlite } from '@electric-sql/pglite';

type Send = PGlite['execProtocolStream'];
type Answer = Awaited<ReturnType<Send>>;

interface Statement {
  name: string;
  /** The statement's parameters and columns, once an earlier use has requested them. */
  description: Answer | null;
}

const codeOf = (letter: string): number => letter.charCodeAt(0);
const MESSAGE = {
  bind: codeOf('B'),
  describe: codeOf('D'),
  execute: codeOf('E'),
  parse: codeOf('P'),
  query: codeOf('Q'),
  sync: codeOf('S'),
};
/** The object that a Describe describes: a statement, or the portal that a Bind has made of it. */
const STATEMENT = codeOf('S');
/** A message begins with its type and its length; the length counts itself and not the type. */
const HEADER_BYTES = 5;
const SYNC_MESSAGE = Buffer.from([MESSAGE.sync, 0, 0, 0, 4]);

/** Returns the text of a Parse message, or null if the message has a name or types of parameters of its own. */
function textToParse(message: Uint8Array): string | null {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.indexOf(0, HEADER_BYTES + 1);
  const isUnnamed = bytes[HEADER_BYTES] === 0;
  return isUnnamed && bytes.readUInt16BE(end + 1) === 0 ? bytes.toString('utf8', HEADER_BYTES + 1, end) : null;
}

/** Inserts the name of a statement at a position where the message has an empty one. */
function withName(message: Uint8Array, name: string, at: number): Uint8Array {
  const named = Buffer.concat([message.subarray(0, at), Buffer.from(name), message.subarray(at)]);
  named.writeUInt32BE(named.length - 1, 1);
  return named;
}

/**
 * Call this once for each PGlite, after migrations. PGlite runs one statement at a time, so the messages of two
 * statements are never mixed.
 */
export function batchPgliteMessages(pglite: PGlite, nameOf: (text: string) => string | undefined): void {
  const send: Send = pglite.execProtocolStream.bind(pglite);
  const prepared = new Map<string, Statement>();
  let statement: Statement = { name: '', description: null };
  let unsent: Uint8Array[] = [];
  let isSynced = false;

  const sendAll = (message: Uint8Array, options: Parameters<Send>[1], then: Uint8Array[] = []): Promise<Answer> => {
    const messages = Buffer.concat([...unsent, message, ...then]);
    unsent = [];
    return send(messages, options);
  };

  function parse(message: Uint8Array): void {
    const text = textToParse(message);
    const name = text === null ? undefined : nameOf(text);
    statement = (name === undefined ? undefined : prepared.get(name)) ?? { name: name ?? '', description: null };
    unsent = statement.description === null ? [withName(message, statement.name, HEADER_BYTES)] : [];
    isSynced = false;
  }

  pglite.execProtocolStream = async (message, options) => {
    const [type] = message;
    if (type === MESSAGE.parse) {
      parse(message);
      return [];
    }
    if (type === MESSAGE.describe && message[HEADER_BYTES] === STATEMENT) {
      if (statement.description !== null) return statement.description;
      const description = await sendAll(withName(message, statement.name, HEADER_BYTES + 1), options);
      if (statement.name !== '') prepared.set(statement.name, { ...statement, description });
      return description;
    }
    if (type === MESSAGE.bind) {
      // The name of the portal comes first and is empty.
      unsent.push(withName(message, statement.name, HEADER_BYTES + 1));
      return [];
    }
    if (type === MESSAGE.describe) {
      unsent.push(message);
      return [];
    }
    if (type === MESSAGE.execute) {
      isSynced = true;
      return sendAll(message, options, [SYNC_MESSAGE]);
    }
    if (type === MESSAGE.sync && isSynced) {
      isSynced = false;
      return [];
    }
    // A Query message, such as BEGIN, needs no Sync, but PGlite sends one anyway.
    if (type === MESSAGE.query) isSynced = true;
    return sendAll(message, options);
  };
}
