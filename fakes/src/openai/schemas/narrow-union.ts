/** Finds the union member that a value means, as the service does: by constant properties such as `type` and `role`. */
import type { Schema } from './stored-schemas.ts';

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns all alternatives of a schema without references and nested unions. */
export function membersOf(defs: Readonly<Record<string, Schema>>, schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined) return membersOf(defs, defs[schema.$ref.replace('#/$defs/', '')] ?? {});
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((member) => membersOf(defs, member));
}

/** Returns the members that the value may mean: those of its type whose constants match best. */
export function matchingMembers(
  defs: Readonly<Record<string, Schema>>,
  schema: Schema,
  value: unknown,
): readonly Schema[] {
  const members = membersOf(defs, schema);
  const candidates = members.filter((member) => hasMatchingType(member, value));
  if (!isObject(value)) return candidates.length > 0 ? candidates : members;
  const agreements = candidates.map((member) => constantAgreement(defs, member, value));
  const most = Math.max(...agreements);
  const bestMatches = candidates.filter((_, index) => agreements[index] === most);
  return bestMatches.length > 0 ? bestMatches : members;
}

function hasMatchingType({ type, properties }: Schema, value: unknown): boolean {
  const kind = type ?? (properties === undefined ? undefined : 'object');
  if (kind === undefined) return true;
  switch (kind) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return typeof value === 'number';
    default:
      return typeof value === kind;
  }
}

/** A contradicted constant outweighs any number of matching constants. */
function constantAgreement(
  defs: Readonly<Record<string, Schema>>,
  { properties = {} }: Schema,
  value: Readonly<Record<string, unknown>>,
): number {
  let agreement = 0;
  for (const [name, part] of Object.entries(properties)) {
    const [only, ...others] = membersOf(defs, part);
    const constants = only?.enum ?? (only?.const === undefined ? [] : [only.const]);
    if (others.length > 0 || constants.length !== 1 || !(name in value)) continue;
    agreement += value[name] === constants[0] ? 1 : -100;
  }
  return agreement;
}
