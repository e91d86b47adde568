/** Finds common learner mistakes that the words alone show. */

export interface DefaultCorrection {
  said: string;
  better: string;
  why: string;
}

const MISTAKES: readonly { mistake: RegExp; better: string; why: string }[] = [
  { mistake: /\bI am agree\b/i, better: 'I agree', why: '“Agree” is a verb, so it needs no “am”.' },
  { mistake: /\binformations\b/i, better: 'information', why: '“Information” has no plural.' },
  { mistake: /\badvices\b/i, better: 'advice', why: '“Advice” has no plural.' },
  { mistake: /\bmore better\b/i, better: 'better', why: '“Better” already means more good.' },
  { mistake: /\bdiscuss about\b/i, better: 'discuss', why: 'We discuss a thing, without “about”.' },
  { mistake: /\bexplain me\b/i, better: 'explain to me', why: 'We explain something to somebody.' },
  { mistake: /\bpeople is\b/i, better: 'people are', why: '“People” is a plural.' },
  { mistake: /\bdepends of\b/i, better: 'depends on', why: 'After “depend” comes “on”.' },
  { mistake: /\binterested for\b/i, better: 'interested in', why: 'After “interested” comes “in”.' },
  { mistake: /\b(he|she|it) don['’]?t\b/i, better: '$1 does not', why: 'With he, she and it we say “does not”.' },
  { mistake: /\bI didn['’]?t went\b/i, better: 'I did not go', why: 'After “did not” the verb has its plain form.' },
  {
    mistake: /\blook forward to (hear|meet|see)\b/i,
    better: 'look forward to $1ing',
    why: 'After “look forward to” the verb ends in “ing”.',
  },
];

export const findCorrections = (said: readonly string[]): DefaultCorrection[] =>
  MISTAKES.flatMap(({ mistake, better, why }) => {
    const [found] = said.flatMap((text) => mistake.exec(text)?.[0] ?? []);
    return found === undefined ? [] : [{ said: found, better: found.replace(mistake, better), why }];
  });
