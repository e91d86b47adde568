/** Finds the member of a union that a value means, as the service does: by the values that must be constant, such as `type` and `role`. */
import type { Schema } from './stored.ts';

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All alternatives that the schema leaves open, without references and without unions in unions. */
export function membersOf(defs: Readonly<Record<string, Schema>>, schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined) return membersOf(defs, defs[schema.$ref.replace('#/$defs/', '')] ?? {});
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((member) => membersOf(defs, member));
}

/** The members that the value may mean: those of its kind, and of them those whose constants it agrees with most. */
export function meantMembers(
  defs: Readonly<Record<string, Schema>>,
  schema: Schema,
  value: unknown,
): readonly Schema[] {
  const members = membersOf(defs, schema);
  const ofKind = members.filter((member) => isOfKind(member, value));
  if (!isObject(value)) return ofKind.length > 0 ? ofKind : members;
  const agreements = ofKind.map((member) => agreementOf(defs, member, value));
  const most = Math.max(...agreements);
  const meant = ofKind.filter((_, index) => agreements[index] === most);
  return meant.length > 0 ? meant : members;
}

function isOfKind({ type, properties }: Schema, value: unknown): boolean {
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

/** A constant that is contradicted weighs more than any number of constants that agree. */
function agreementOf(
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
