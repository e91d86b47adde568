/** The learner's unsaved edits to the fields of their profile. */
import type { Profile } from '@parley/contract';

const FIELDS = ['firstName', 'lastName', 'jobTitle'] as const;
type TypedField = (typeof FIELDS)[number];

/** Contains edited fields only; the others show the stored value, even when another device changes it. */
export type TypedProfile = Partial<Record<TypedField, string>>;

/** The fields to save: those that were edited and differ. Null if there are none. */
export function changeOf(typed: TypedProfile, profile: Pick<Profile, TypedField>): Partial<Profile> | null {
  const changed = FIELDS.flatMap((field) => {
    const text = typed[field] === undefined ? profile[field] : typed[field].trim() || null;
    return text === profile[field] ? [] : [[field, text]];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}
