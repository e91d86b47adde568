/** Parses YAML with a schema. Each problem has its line. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Scalar, stringify, visit, type YAMLMap } from 'yaml';
import { explain, explainIssue, type Explanation } from '@parley/domain';
import type { z } from 'zod';

export interface FileProblem extends Explanation {
  /** From 1; null when it concerns the whole file. */
  line: number | null;
}

export type ParsedYaml<Value> = { ok: true; value: Value } | { ok: false; problems: FileProblem[] };

const MAX_PROBLEMS = 50;

export function parseYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): ParsedYaml<z.infer<Schema>> & { lineOf: (path: readonly PropertyKey[]) => number | null } {
  const counter = new LineCounter();
  // The library compares each key with all others, and copies the line for each error, so a file of megabytes would take days.
  const document = parseDocument(text, {
    lineCounter: counter,
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const lineOf = (path: readonly PropertyKey[]): number | null => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = path.slice(0, length);
      const node: unknown = length === 0 ? document.contents : keyNode(document, place);
      const offset = isNode(node) ? node.range?.[0] : undefined;
      if (offset !== undefined) return counter.linePos(offset).line;
    }
    return null;
  };
  const mistakes = [
    ...document.errors.map(({ pos: [offset], message }) => ({ offset, message })),
    ...findRepeatedKeys(document),
  ].toSorted((a, b) => a.offset - b.offset);
  if (mistakes.length > 0)
    return {
      ok: false,
      lineOf,
      problems: mistakes.slice(0, MAX_PROBLEMS).map(({ offset, message }) => ({
        line: counter.linePos(offset).line,
        ...explain('file.yaml_invalid', { detail: message }),
      })),
    };
  let value: unknown;
  try {
    // Anchors could make a short file expand into a huge one, and no content needs them.
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { ok: false, lineOf, problems: [{ line: null, ...explain('file.yaml_aliases') }] };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, lineOf, value: parsed.data };
  return {
    ok: false,
    lineOf,
    problems: parsed.error.issues
      .slice(0, MAX_PROBLEMS)
      .map((issue) => ({ line: lineOf(issue.path), ...explainIssue(issue) })),
  };
}

function findRepeatedKeys(document: ReturnType<typeof parseDocument>): { offset: number; message: string }[] {
  const repeated: { offset: number; message: string }[] = [];
  visit(document, {
    Map(_place, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) repeated.push({ offset: key.range?.[0] ?? 0, message: 'Map keys must be unique' });
        known.add(key.value);
      }
    },
  });
  return repeated;
}

/** The key at a path, which is on the line that an author looks for, or the item of a list. */
function keyNode(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): unknown {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  return isMap(parent) ? keysOf(parent).get(String(path.at(-1))) : document.getIn([...path], true);
}

/** A map may have thousands of keys, and a problem with each. */
function keysOf(map: YAMLMap): ReadonlyMap<string, Scalar> {
  const known = keysByMap.get(map);
  if (known !== undefined) return known;
  const keys = new Map(map.items.flatMap(({ key }) => (isScalar(key) ? [[String(key.value), key] as const] : [])));
  keysByMap.set(map, keys);
  return keys;
}
const keysByMap = new WeakMap<YAMLMap, ReadonlyMap<string, Scalar>>();

export const toYaml = (value: object): string => stringify(value, { lineWidth: 0, blockQuote: 'literal' });
