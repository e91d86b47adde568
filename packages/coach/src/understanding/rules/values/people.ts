/**
 * Replaces the name of a person whom the scene speaks about by a pronoun. The examples from which scenes learn say "her" where a learner may
 * as well say "Laura".
 */
import type { Dialogue } from '@parley/domain';

const PRONOUNS = {
  she: { subject: 'she', object: 'her', possessive: 'her' },
  he: { subject: 'he', object: 'him', possessive: 'his' },
} as const;

/**
 * A capital letter within a sentence. Places and companies, in contrast, sometimes follow "from", "at", "in", "of" or
 * another capitalised word.
 */
const NAME = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?!\p{L})/gu;
const PLACE = /\b(?:from|at|in|of|near|for the) (\p{Lu}\p{Ll}+)/gu;
const NO_PERSON =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December|English|Mr|Mrs|Ms|Dr)$/;
/** A name that occurs in two lines is not there by chance. */
const MIN_LINES = 2;

const SUBJECT_BEFORE =
  /(?:^|[.!?;:,]|\b(?:can|could|will|would|should|shall|may|might|must|does|did|do|is|was|has|if|when|that|because|so|and|but|think|hope|what|how|where))\s*$/i;
const SUBJECT_AFTER =
  /^ (?:can|could|will|would|should|shall|may|might|must|does|did|is|was|has|had|needs?|wants?|knows?|calls?|called|said|says|[a-z]+n't)\b/i;

/** Returns a function that rewrites a text with pronouns, or returns null when it names no person of the scene. */
export function createPeople(dialogue: Dialogue): (text: string) => string | null {
  const names = namesOf(dialogue);
  const gender = genderOf(dialogue);
  if (names.length === 0 || gender === null) return () => null;
  const name = `(?:${names.join('|')})`;
  const pattern = new RegExp(`\\b${name}(?: ${name})*(['’]s)?\\b`, 'g');
  const pronoun = PRONOUNS[gender];
  return (text) => {
    const spoken = text.replace(pattern, (all: string, ending: string | undefined, at: number) => {
      const before = text.slice(0, at);
      const after = text.slice(at + all.length);
      if (ending !== undefined) return pronoun.possessive;
      return SUBJECT_BEFORE.test(before) || SUBJECT_AFTER.test(after) ? pronoun.subject : pronoun.object;
    });
    return spoken === text ? null : spoken;
  };
}

function namesOf({ nodes }: Dialogue): string[] {
  const lines = nodes.flatMap(({ say }) => Object.values(say));
  const places = new Set(lines.flatMap((line) => [...line.matchAll(PLACE)].map(([, name]) => name)));
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const name of new Set([...line.matchAll(NAME)].map(([found]) => found)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) =>
    count >= MIN_LINES && !NO_PERSON.test(name) && !places.has(name) ? [name] : [],
  );
}

/** With fewer such examples, a pronoun may refer to anybody. */
const MIN_EXAMPLES = 20;

/** The pronoun that most examples use for the person of the scene; null when the scene is not about a person. */
function genderOf({ nodes }: Dialogue): keyof typeof PRONOUNS | null {
  const examples = nodes.flatMap(
    ({ understanding }) => understanding?.intents.flatMap((intent) => intent.examples) ?? [],
  );
  const count = (words: RegExp): number => examples.filter((example) => words.test(example)).length;
  const [she, he] = [count(/\b(?:she|her)\b/i), count(/\b(?:he|him|his)\b/i)];
  return she + he < MIN_EXAMPLES ? null : she >= he ? 'she' : 'he';
}
