/**
 * A second check beside JSON Schema. A union in which one member takes any object lets every name pass; here a name must belong to the member that
 * the value means.
 */
import { isObject, meantMembers } from './narrow.ts';
import type { Schema } from './stored.ts';

/** The path of the first name that the schema does not have, such as `input[0].content[0].colour`; null when it has them all. */
export function unknownName(
  defs: Readonly<Record<string, Schema>>,
  schema: Schema,
  value: unknown,
  path = '',
): string | null {
  const members = meantMembers(defs, schema, value);
  if (Array.isArray(value)) {
    const items = unionOf(members.flatMap(({ items: each }) => (each === undefined ? [] : [each])));
    return items === null
      ? null
      : firstOf(value.entries(), ([index, one]) => unknownName(defs, items, one, `${path}[${index}]`));
  }
  if (!isObject(value)) return null;
  return firstOf(Object.entries(value), ([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = unionOf(members.flatMap((member) => schemaOfName(member, name)));
    return known === null ? at : unknownName(defs, known, part, at);
  });
}

function schemaOfName({ properties, additionalProperties }: Schema, name: string): Schema[] {
  const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [own];
  if (isObject(additionalProperties)) return [additionalProperties];
  // An object of which nothing is said may have any names: parameters of a function, or a JSON schema.
  return additionalProperties === true || (properties === undefined && additionalProperties !== false) ? [{}] : [];
}

const unionOf = (schemas: readonly Schema[]): Schema | null =>
  schemas.length === 0 ? null : schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };

function firstOf<Item>(items: Iterable<Item>, look: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}
