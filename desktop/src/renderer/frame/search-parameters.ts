/**
 * Validates what an address passes to its screen, and drops what is invalid. Plain functions, because the router is
 * loaded before the first screen and a schema library would take a fifth of the size budget.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id, in the type that its screen works with. */
export const uuid = <Id extends string>(value: unknown): Id | undefined =>
  typeof value === 'string' && UUID.test(value) ? (value as Id) : undefined;

/** A text of 1 to `maxCharacters`, without the spaces around it. */
export function text(value: unknown, maxCharacters: number): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed.length > 0 && trimmed.length <= maxCharacters ? trimmed : undefined;
}

export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((candidate) => candidate === value);

/** From 1 to `maxCount` texts; undefined when one of them is invalid. */
export function texts(value: unknown, { maxCount, maxCharacters }: TextsLimits): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxCount) return undefined;
  const checked = value.map((each) => text(each, maxCharacters)).filter((each) => each !== undefined);
  return checked.length === value.length ? checked : undefined;
}

export interface TextsLimits {
  maxCount: number;
  maxCharacters: number;
}

export const wholeNumber = (value: unknown, { from, to }: { from: number; to: number }): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined;

/**
 * The type of parameters that may be absent. Invalid ones stay as undefined, because the router merges the result over
 * the unparsed address: a missing key would let the unchecked value through.
 */
export const optional = <Search extends Readonly<Record<string, unknown>>>(
  search: Search,
): { [Name in keyof Search]?: Exclude<Search[Name], undefined> } =>
  search as { [Name in keyof Search]?: Exclude<Search[Name], undefined> };
