/** Reads the tables of docs/protocol.md from the document itself, because the oracle shares no code with the product. */
import { readFileSync } from 'node:fs';

export type MergeRule =
  | 'last writer'
  | 'set once'
  | 'maximum'
  | 'minimum'
  | 'objectives'
  | 'words'
  | 'unit'
  | 'projection'
  | 'insert if absent'
  | 'fixed when the row is made'
  | 'set by the server';

export type FieldKind = 'time' | 'boolean' | 'json' | 'number' | 'text';

export interface DocumentedField {
  name: string;
  kind: FieldKind;
  /** Undefined when a new row must include the field. */
  default: unknown;
  rule: MergeRule;
}

export interface DocumentedTable {
  name: string;
  key: string;
  isReadOnly: boolean;
  /** True for tables of a learner, false for the catalogue. */
  isLearnerTable: boolean;
  fields: ReadonlyMap<string, DocumentedField>;
  unit: { rankField: string; ranks: readonly string[] } | null;
}

const DOCUMENT = new URL('../../../../docs/protocol.md', import.meta.url);
const SECTION = /^### (\w+)\n\nKey: `(\w+)`\. ([^\n]*)\n\n([\s\S]*?)(?=\n### |\n<!-- \/tables)/gm;
const UNIT = /The unit’s rank is `(\w+)`: ([^.]*)\./;
const RULES: readonly string[] = [
  'last writer',
  'set once',
  'maximum',
  'minimum',
  'objectives',
  'words',
  'unit',
  'projection',
  'insert if absent',
  'fixed when the row is made',
  'set by the server',
] satisfies MergeRule[];

const isRule = (text: string): text is MergeRule => RULES.includes(text);
const extractQuoted = (text: string): string[] => [...text.matchAll(/`([^`]*)`/g)].map(([, inner = '']) => inner);

/** Throws when the document lacks what the oracle needs. */
export function readProtocolDocument(text: string = readFileSync(DOCUMENT, 'utf8')): Map<string, DocumentedTable> {
  const tables = new Map<string, DocumentedTable>();
  for (const [, name = '', key = '', notes = '', rows = ''] of text.matchAll(SECTION)) {
    const fields = rows
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map(readField);
    const unit = UNIT.exec(notes);
    tables.set(name, {
      name,
      key,
      isReadOnly: notes.startsWith('Written by the server'),
      isLearnerTable: fields.some((field) => field.name === 'userId'),
      fields: new Map(fields.map((field) => [field.name, field])),
      unit: unit === null ? null : { rankField: unit[1] ?? '', ranks: extractQuoted(unit[2] ?? '') },
    });
  }
  if (tables.size === 0) throw new Error('docs/protocol.md lists no tables');
  return tables;
}

function readField(line: string): DocumentedField {
  const [, name = '', type = '', byDefault = '', , rule = ''] = line.split('|').map((cell) => cell.trim());
  if (!isRule(rule)) throw new Error(`docs/protocol.md gives ${name} an unknown rule: ${rule}`);
  const [value] = extractQuoted(byDefault);
  return {
    name: extractQuoted(name)[0] ?? '',
    kind: parseKind(type),
    default: value === undefined ? undefined : (JSON.parse(value) as unknown),
    rule,
  };
}

function parseKind(type: string): FieldKind {
  if (type.startsWith('time')) return 'time';
  if (type.startsWith('boolean')) return 'boolean';
  if (type.startsWith('`[') || type.startsWith('`{')) return 'json';
  return /^(integer|number)/.test(type) ? 'number' : 'text';
}
