/** What a classifier sees of a turn: words, pairs, parts of words, values, the form of the sentence, and its direction of meaning. */
import { slotsIn } from './slots.ts';
import { readSpoken, type SpokenText, stem } from './spoken-text.ts';
import { meanVector } from './word-vectors.ts';

export type Features = ReadonlyMap<string, number>;

const GRAMMAR: ReadonlySet<string> = new Set(
  'a an the of to in on at for and or but is be am are was i you we it that this my your our me us with will would can could have has do does not so as by from there he she they him her them'.split(
    ' ',
  ),
);

export type FeatureReader = (text: string) => Features;

/** Reads each text once. `topic`: words that belong to the scene. */
export function featureReader(topic: readonly string[]): FeatureReader {
  const stems = new Set(topic.map((word) => stem(word.toLowerCase())));
  const known = new Map<string, Features>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = featuresOf(text, stems);
    known.set(text, made);
    return made;
  };
}

/** Weight of each kind of feature: the features of a kind together have this length. */
const WEIGHT = { words: 1, parts: 0.7, values: 0.8, form: 0.5, meaning: 1.2 };
const PART_LENGTHS = [3, 4];

function featuresOf(text: string, topic: ReadonlySet<string>): Features {
  const said = readSpoken(text);
  const features = new Map<string, number>();
  const add = (weight: number, names: Iterable<string>): void => {
    const unique = new Set(names);
    const each = weight / Math.sqrt(Math.max(1, unique.size));
    for (const name of unique) features.set(name, each);
  };
  add(WEIGHT.words, wordFeatures(said));
  add(WEIGHT.parts, partFeatures(said.words));
  add(WEIGHT.values, [
    ...slotsIn(said.plain).map((kind) => `slot:${kind}`),
    `question:${said.question}`,
    said.isNegated.includes(true) ? 'negated' : 'positive',
    `length:${Math.min(4, Math.ceil(said.words.length / 4))}`,
  ]);
  add(WEIGHT.form, formFeatures(said.words.join(' ')));
  const content = said.words.filter((word) => !GRAMMAR.has(word));
  const share = said.stems.filter((stem, at) => !GRAMMAR.has(said.words[at] ?? '') && topic.has(stem)).length;
  features.set('topic', share / Math.max(1, content.length));
  if (share === 0) features.set('no topic', 0.5);
  const meaning = meanVector(content.length === 0 ? said.words : content);
  meaning?.forEach((value, d) => features.set(`meaning:${d}`, value * WEIGHT.meaning));
  return features;
}

function* wordFeatures({ words, stems, isNegated }: SpokenText): Generator<string> {
  for (const [at, stem] of stems.entries()) {
    yield `word:${stem}`;
    if (at > 0) yield `pair:${stems[at - 1] ?? ''}_${stem}`;
    if (isNegated[at] === true && !GRAMMAR.has(words[at] ?? '')) yield `not:${stem}`;
  }
  if (stems.length > 0) {
    yield `first:${stems[0] ?? ''}`;
    yield `start:${stems.slice(0, 2).join('_')}`;
  }
}

function* partFeatures(words: readonly string[]): Generator<string> {
  for (const word of words) {
    const padded = ` ${word} `;
    for (const length of PART_LENGTHS)
      for (let at = 0; at + length <= padded.length; at += 1) yield `part:${padded.slice(at, at + length)}`;
  }
}

const FORMS: readonly (readonly [string, RegExp])[] = [
  ['first person', /\b(?:i|we|my|our|me|us|mine|ours)\b/],
  ['second person', /\b(?:you|your|yours)\b/],
  ['past', /\b(?:\w+ed|was|were|had|broke|lost|got|went|came|made|sent|did|took|said|told)\b/],
  ['future', /\b(?:will|going to|shall)\b/],
  ['modal', /\b(?:can|could|may|would|should|might)\b/],
];

const formFeatures = (text: string): string[] =>
  FORMS.flatMap(([name, pattern]) => (pattern.test(text) ? [`form:${name}`] : []));
