/** Joins the parts of a person's name for others to read. A person can call themselves anything. */

/** Line breaks and other control characters, and those that would change the direction of the text after the name. */
const MISLEADING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;
/** Blank letters such as the Hangul filler count as ignorable. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]*$/u;

/** Null when nothing of the name can be seen. */
export function fullName({
  firstName,
  lastName,
}: {
  firstName: string | null;
  lastName: string | null;
}): string | null {
  const parts = [firstName, lastName].map((part) => (part ?? '').replaceAll(MISLEADING, ' ').trim());
  return parts.filter((part) => !BLANK.test(part)).join(' ') || null;
}
