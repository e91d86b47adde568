/**
 * Adds features that do not depend on the topic of a text: its function words in sequence, with one placeholder for the
 * words of the coach's line and another for all other words. "What means deposit" and "what is mean by upgrade" then
 * look alike in every scene.
 */
import { type Features, hashedPlace, readBaseFeatures } from './features.ts';
import { parseSpoken, stem } from '../rules/spoken-text.ts';

/** Words that show what kind of sentence it is. Numbers get a placeholder of their own. */
const SHAPE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it there here i you he she we they me him her us them my your his its our their mine yours ' +
    'am is are was were be been do does did done have has had will would shall should can could may might must not no never ' +
    'what when where who whom whose which why how if whether or and but because so then than as like about of to in on at for from with by ' +
    'into before after until since over all any some every each both one other another else more most less much many very too also only ' +
    'just still already again now first last next exactly please sorry pardon excuse thank thanks hello hi hey yes no okay oh ah well um hm ' +
    'mean means meaning meant word words sentence question answer say says said tell told speak talk talking ask asked asking repeat explain ' +
    'spell call called understand understood know known hear heard listen catch get got follow miss missed forget forgot lost help ' +
    'slow slowly slower loud louder fast quick simple simpler easy easier english example kind sort thing part idea sure clear difference ' +
    'wait moment second minute think want need let give go come maybe perhaps something anything nothing somebody anybody ' +
    'really right wrong correct same different possible'
  ).split(' '),
);
const LINE = '<line>';
const OTHER = '<other>';
const NUMBER = '<number>';
const START = '<start>';
const END = '<end>';

const NUMBERS =
  /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand)$/;

/** The norm of this group of features. */
const WEIGHT = 1.2;

/** The content words of the coach's line at a node, stemmed. */
export const lineStems = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(
    parseSpoken(lines.join(' ').replaceAll(/\{[^}]*\}/g, ''))
      .words.filter((word) => !SHAPE_WORDS.has(word))
      .map(stem),
  );

/** Placeholders represent one word or more. */
export function shapeOf(words: readonly string[], line: ReadonlySet<string>): string[] {
  const shape = [START];
  for (const word of words) {
    const each = SHAPE_WORDS.has(word) ? word : NUMBERS.test(word) ? NUMBER : line.has(stem(word)) ? LINE : OTHER;
    if (each !== shape.at(-1) || SHAPE_WORDS.has(word)) shape.push(each);
  }
  shape.push(END);
  return shape;
}

export function readTalkFeatures(
  text: string,
  line: ReadonlySet<string>,
  base: Features = readBaseFeatures(text),
): Features {
  const shape = shapeOf(parseSpoken(text).words, line);
  const places = new Set<number>();
  shape.forEach((each, at) => {
    const [second = '', third = ''] = shape.slice(at + 1);
    if (each === LINE) places.add(hashedPlace(`shape:${LINE}`));
    places.add(hashedPlace(`shape2:${each}_${second}`));
    places.add(hashedPlace(`shape3:${each}_${second}_${third}`));
  });
  for (const place of base.places) places.delete(place);
  const all = new Int32Array(base.places.length + places.size);
  const values = new Float32Array(all.length).fill(WEIGHT / Math.sqrt(Math.max(1, places.size)));
  all.set(base.places);
  all.set([...places], base.places.length);
  values.set(base.values);
  return { places: all, values, norm: Math.hypot(base.norm, WEIGHT), meaningStart: base.meaningStart };
}
