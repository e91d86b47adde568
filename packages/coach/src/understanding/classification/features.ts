/** Extracts a classifier's features from a turn: words, word pairs, character n-grams, values, sentence form, and a meaning vector. */
import { remember } from './remember.ts';
import { findSlots } from '../rules/values/slots.ts';
import { parseSpoken, type SpokenText, stem } from '../rules/spoken-text.ts';
import { meanVector, VECTOR_DIMENSIONS } from './word-vectors.ts';

/** Sparse features: each place occurs once. */
export interface Features {
  places: Int32Array;
  values: Float32Array;
  /**
   * Where the meaning vector begins. Its places are 0 to `VECTOR_DIMENSIONS`, in order. Null for a text without known
   * words.
   */
  meaningStart: number | null;
  /** The length of the vector. */
  norm: number;
}

/** The names of features are hashed into this many places. Collisions are rare enough not to matter. */
export const FEATURE_PLACES = 65_536;
const TOPIC_PLACE = VECTOR_DIMENSIONS;
const NO_TOPIC_PLACE = VECTOR_DIMENSIONS + 1;
const TOPIC_FEATURES = 2;
const FIRST_HASHED_PLACE = VECTOR_DIMENSIONS + TOPIC_FEATURES;

const GRAMMAR: ReadonlySet<string> = new Set(
  'a an the of to in on at for and or but is be am are was i you we it that this my your our me us with will would can could have has do does not so as by from there he she we they him her them'.split(
    ' ',
  ),
);

export interface TextFeatures extends Features {
  isQuestion: boolean;
}
export type FeatureReader = (text: string) => TextFeatures;

/** Features that do not depend on a scene, with the stems of the content words. */
export interface BaseFeatures extends TextFeatures {
  contentStems: readonly string[];
}
export type BaseReader = (text: string) => BaseFeatures;

export function createBaseReader(): BaseReader {
  return remember(readBaseFeatures);
}

/** Caches the features of each text. `topic` lists words that belong to the scene. */
export function createFeatureReader(topic: readonly string[], readBase: BaseReader): FeatureReader {
  const stems = new Set(topic.map((word) => stem(word.toLowerCase())));
  return remember((text) => {
    const { places, values, contentStems, ...rest } = readBase(text);
    const count = contentStems.filter((each) => stems.has(each)).length;
    const withTopic: TextFeatures = {
      places: new Int32Array(places.length + TOPIC_FEATURES),
      values: new Float32Array(places.length + TOPIC_FEATURES),
      // The topic does not contribute to the norm, so that texts are compared by their own words.
      ...rest,
    };
    withTopic.places.set(places);
    withTopic.places.set([TOPIC_PLACE, NO_TOPIC_PLACE], places.length);
    withTopic.values.set(values);
    withTopic.values.set([count / Math.max(1, contentStems.length), count === 0 ? 0.5 : 0], places.length);
    return withTopic;
  });
}

/** Undoes `createFeatureReader` without reading the text again. */
export const withoutTopic = ({ places, values, ...rest }: TextFeatures): TextFeatures => ({
  places: places.subarray(0, -TOPIC_FEATURES),
  values: values.subarray(0, -TOPIC_FEATURES),
  ...rest,
});

/** The norm of each group of features. */
const WEIGHT = { words: 1, parts: 0.7, values: 0.8, form: 0.5, meaning: 1.2 };
const PART_LENGTHS = [3, 4];

export function readBaseFeatures(text: string): BaseFeatures {
  const said = parseSpoken(text);
  const features = new Map<number, number>();
  const add = (weight: number, names: Iterable<string>): void => {
    const places = new Set([...names].map(hashedPlace));
    const each = weight / Math.sqrt(Math.max(1, places.size));
    for (const place of places) features.set(place, each);
  };
  add(WEIGHT.parts, partFeatures(said.words));
  add(WEIGHT.words, wordFeatures(said));
  add(WEIGHT.values, [
    ...findSlots(said.plain).map((kind) => `slot:${kind}`),
    `question:${said.question}`,
    said.isNegated.includes(true) ? 'negated' : 'positive',
    `length:${Math.min(4, Math.ceil(said.words.length / 4))}`,
  ]);
  add(WEIGHT.form, formFeatures(said.words.join(' ')));
  const isContent = (word: string): boolean => !GRAMMAR.has(word);
  const content = said.words.filter(isContent);
  const meaning = meanVector(content.length === 0 ? said.words : content);
  const meaningStart = meaning === null ? null : features.size;
  meaning?.forEach((value, d) => features.set(d, value * WEIGHT.meaning));
  return {
    ...toFeatures(features),
    meaningStart,
    contentStems: said.stems.filter((_, at) => isContent(said.words[at] ?? '')),
    isQuestion: said.question !== 'none',
  };
}

/** FNV-1a. */
export function hashedPlace(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return FIRST_HASHED_PLACE + ((hash >>> 0) % (FEATURE_PLACES - FIRST_HASHED_PLACE));
}

const scratch = new Float32Array(FEATURE_PLACES);

/**
 * The cosine similarities between one text and others. Most features of a text belong to its meaning vector and are
 * adjacent, so they are multiplied without looking up their places.
 */
export function similarities(said: Features, others: readonly Features[]): Float32Array {
  for (let k = 0; k < said.places.length; k += 1) scratch[said.places[k] as number] = said.values[k] as number;
  const result = new Float32Array(others.length);
  others.forEach(({ places, values, norm, meaningStart }, index) => {
    const end = meaningStart ?? places.length;
    let sum = 0;
    for (let k = 0; k < end; k += 1) sum += (values[k] as number) * (scratch[places[k] as number] as number);
    if (meaningStart !== null && said.meaningStart !== null)
      for (let d = 0; d < VECTOR_DIMENSIONS; d += 1)
        sum += (values[meaningStart + d] as number) * (scratch[d] as number);
    for (let k = end + VECTOR_DIMENSIONS; k < places.length; k += 1)
      sum += (values[k] as number) * (scratch[places[k] as number] as number);
    result[index] = sum / (norm * said.norm + 1e-9);
  });
  for (const place of said.places) scratch[place] = 0;
  return result;
}

export type Comparer = (said: Features, others: readonly Features[]) => Float32Array;

/** A turn, its clauses and its other wordings are compared at every node. */
const MAX_COMPARED = 64;

/** Returns `similarities`, and remembers those of the latest texts, because the nodes of a scene share most of theirs. */
export function createComparer(): Comparer {
  const compared = new Map<Features, Map<Features, number>>();

  function similaritiesOf(said: Features): Map<Features, number> {
    const known = compared.get(said) ?? new Map<Features, number>();
    if (compared.size >= MAX_COMPARED && !compared.has(said)) compared.clear();
    compared.set(said, known);
    return known;
  }

  return (said, others) => {
    const known = similaritiesOf(said);
    const result = new Float32Array(others.length);
    const unknown: number[] = [];
    for (const [at, other] of others.entries()) {
      const similarity = known.get(other);
      if (similarity === undefined) unknown.push(at);
      else result[at] = similarity;
    }
    const found = similarities(
      said,
      unknown.map((at) => others[at] as Features),
    );
    for (const [index, at] of unknown.entries()) {
      const similarity = found[index] as number;
      result[at] = similarity;
      known.set(others[at] as Features, similarity);
    }
    return result;
  };
}

function toFeatures(valueByPlace: ReadonlyMap<number, number>): Pick<Features, 'places' | 'values' | 'norm'> {
  const places = new Int32Array(valueByPlace.size);
  const values = new Float32Array(valueByPlace.size);
  let count = 0;
  let square = 0;
  for (const [place, value] of valueByPlace) {
    places[count] = place;
    values[count] = value;
    square += (values[count] as number) ** 2;
    count += 1;
  }
  return { places, values, norm: Math.sqrt(square) };
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
