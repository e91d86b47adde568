/** What the learner typed into the fields of their profile. */
import type { Profile } from '@parley/contract';

const FIELDS = ['firstName', 'lastName', 'jobTitle'] as const;
type TypedField = (typeof FIELDS)[number];

/** Contains edited fields only; the others show the stored value, even when another device changes it. */
export type TypedProfile = Partial<Record<TypedField, string>>;

/** What is to be saved: the fields that were edited and differ. Null without such a field. */
export function changeOf(typed: TypedProfile, profile: Pick<Profile, TypedField>): Partial<Profile> | null {
  const changed = FIELDS.flatMap((field) => {
    const text = typed[field] === undefined ? profile[field] : typed[field].trim() || null;
    return text === profile[field] ? [] : [[field, text]];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}
