/**
 * Complements JSON Schema: a union with one member that accepts any object lets every name pass, so here a name must belong to the member
 * that the value means.
 */
import { isObject, matchingMembers } from './narrow-union.ts';
import type { Schema } from './stored-schemas.ts';

/** Returns the path of the first unknown name, such as `input[0].content[0].colour`, or null. */
export function findUnknownName(
  defs: Readonly<Record<string, Schema>>,
  schema: Schema,
  value: unknown,
  path = '',
): string | null {
  const members = matchingMembers(defs, schema, value);
  if (Array.isArray(value)) {
    const items = unionOf(members.flatMap(({ items: each }) => (each === undefined ? [] : [each])));
    return items === null
      ? null
      : firstResult(value.entries(), ([index, one]) => findUnknownName(defs, items, one, `${path}[${index}]`));
  }
  if (!isObject(value)) return null;
  return firstResult(Object.entries(value), ([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = unionOf(members.flatMap((member) => propertySchemas(member, name)));
    return known === null ? at : findUnknownName(defs, known, part, at);
  });
}

function propertySchemas({ properties, additionalProperties }: Schema, name: string): Schema[] {
  const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [own];
  if (isObject(additionalProperties)) return [additionalProperties];
  // An object without constraints may have any names: parameters of a function or a JSON schema.
  return additionalProperties === true || (properties === undefined && additionalProperties !== false) ? [{}] : [];
}

const unionOf = (schemas: readonly Schema[]): Schema | null =>
  schemas.length === 0 ? null : schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };

function firstResult<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
