/** Recognises that a learner says a name: "My name is Ana" at any step of a scene, and "Ana Silva" where the coach asks for one. */
import type { Dialogue, DialogueIntent, DialogueNode } from '@parley/domain';
import { comparableWords, isFunctionWord } from '../../../text/comparable-words.ts';
import { isAnswerWord } from '../elliptic-reply.ts';
import { isForeignWord } from '../language-check.ts';
import { isUsedAsName } from '../../classification/name-likeness.ts';
import type { SharedActs } from '../../classification/shared-acts.ts';
import { parseSpoken } from '../spoken-text.ts';

/** "My name's" is read as "my name s". */
const NAME_IS = '(?:\\w+ )?name (?:is|s)';
const BOOKED_UNDER =
  '(?:reservation|booking|booked|reserved|reserve|room|table) under(?! (?:the|a|an|my|our|your|this|that|\\d+|(?:one|two|three|four|five|six|seven|eight|nine) hundred|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\\b)';
const OWN_NAME = new RegExp(
  `\\b(?:my ${NAME_IS}|(?:under|in|on) the name(?: of)?|the name (?:is|s)|${BOOKED_UNDER})\\s+\\w|(?:^|[.!,;] |\\b(?:and|hello|hi) )name (?:is|s)\\s+\\w`,
);
const ANY_NAME = new RegExp(`${OWN_NAME.source}|\\b(?:her|his|their) ${NAME_IS}\\s+\\w`);

/** "I'm Ahmed from Siemens", "Daniela Rossi here", "this is Sam Silva speaking". */
const PRESENTED = [
  /\b(?:i am|this is|it is) (?!new\b|responsible\b)((?:[\p{L}-]+ ){1,3})(?:from|with)\b/gu,
  /(?:^|[.!,;] |\b(?:hello|hi|hey|morning|afternoon|evening|this is) )((?:[\p{L}-]+ ){1,3})(?:here|speaking)(?=[.!,;]|$| (?:i|we|from)\b)/gu,
];

/** Whether every word may be a name: words that are rare or are used as names. */
const isUsedAsNames = (words: string): boolean =>
  comparableWords(words).every((word) => !isFunctionWord(word) && !isAnswerWord(word) && isUsedAsName(word) !== false);

const presentsSpeaker = (plain: string): boolean =>
  PRESENTED.some((pattern) => [...plain.matchAll(pattern)].some(([, words = '']) => isUsedAsNames(words)));

export function saysOwnName(text: string): boolean {
  const { plain } = parseSpoken(text);
  return OWN_NAME.test(plain) || presentsSpeaker(plain);
}

const ONLY_OWN_NAME =
  /^(?:(?:hello|hi|yes|no|sorry|oh|well|okay|so|and) )*(?:my|the) (?:\w+ )?name (?:is|s)(?: \p{L}+){1,4}$/u;
const DIGIT_WORDS = 'zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple|plus';
const DIGIT = new RegExp(`\\d|\\b(?:${DIGIT_WORDS})\\b`, 'g');
const MIN_DIGITS = 5;
const ONLY_NUMBER = new RegExp(
  `^(?:(?:my|the|our|phone|telephone|mobile|cell|number|is|it|s|you|can|call|reach|me|on|at|under|yes|hello|okay|sorry|so|and|please|${DIGIT_WORDS}|\\d+)(?: |$))+$`,
);

const onlySaysOwnName = (text: string): boolean => ONLY_OWN_NAME.test(comparableWords(text).join(' '));

/** A telephone number and nothing else. */
function onlyGivesNumber(text: string): boolean {
  const plain = comparableWords(text).join(' ');
  return ONLY_NUMBER.test(plain) && [...plain.matchAll(DIGIT)].length >= MIN_DIGITS;
}

/** The learner gives a telephone number where the coach asks for a name, or the other way round. */
export function exchangesNameAndNumber({ understanding }: DialogueNode, text: string, asksForName: boolean): boolean {
  const examples = (): string[] => understanding?.intents.flatMap((intent) => intent.examples) ?? [];
  const takesNumbers = (): boolean => examples().some(onlyGivesNumber);
  // Most turns are neither, so the examples, of which there may be hundreds, come last.
  return asksForName
    ? onlyGivesNumber(text) && !takesNumbers()
    : onlySaysOwnName(text) && takesNumbers() && !examples().some(onlySaysOwnName);
}

const saysAnyName = (text: string): boolean => ANY_NAME.test(parseSpoken(text).plain);

/** Names also occur in some examples of other answers. */
const MIN_NAMED_SHARE = 0.1;

/** The intent with which a learner says a name at this node; null if the coach asks for something else. */
export function findNameIntent({ understanding }: DialogueNode): DialogueIntent | null {
  const intents = understanding?.slots.includes('name') === true ? understanding.intents : [];
  const [best] = intents
    .map((intent) => ({ intent, share: intent.examples.filter(saysAnyName).length / intent.examples.length }))
    .filter(({ share }) => share >= MIN_NAMED_SHARE)
    .toSorted((a, b) => b.share - a.share);
  return best?.intent ?? null;
}

/** "Who can I ask?" may also be answered with a name, if an author's examples do so. */
const MIN_BARE_NAMES = 2;

function findAnsweredWithNames(
  { understanding }: DialogueNode,
  isBareName: (text: string) => boolean,
): DialogueIntent | null {
  const intents = understanding?.slots.includes('name') === true ? understanding.intents : [];
  const isOnlyName = (text: string): boolean => !LEAD_IN.test(text) && isBareName(text);
  const named = intents.filter(({ examples }) => examples.filter(isOnlyName).length >= MIN_BARE_NAMES);
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** A question, so that "My name is {coach}. How can I help you?" does not ask for one. */
const ASKS_FOR_NAME = /\bname\b[^.!?]*\?/;

export interface BareNames {
  /**
   * Whether a text is only a name. There is no list of names: "Zhang" and "o'brien" are names, whereas "Pardon" and
   * "again please" are not.
   */
  isBareName: (text: string) => boolean;
  /** The intent with which a bare name answers this node's question. */
  expectedAt: (node: DialogueNode) => DialogueIntent | null;
}

const LEAD_IN =
  /^(?:(?:yes|yeah|sure|okay|ok|hello|hi|well|good (?:morning|afternoon|evening)|of course|it is|it['’]?s|i am|i['’]?m|that['’]?s|this is)(?![\p{L}'’])[,.!]? *)+/iu;
const TITLE = /(?<!\p{L})(?:mr|mrs|ms|miss|dr|sir|madam|please|thanks|thank you)(?!\p{L})\.?/giu;
const TOKEN = /\p{L}[\p{L}\p{M}'’-]*/gu;
const ONLY_TOKENS = /^[\p{L}\p{M}'’\s,.!-]+$/u;
const PARTICLES: ReadonlySet<string> = new Set(
  'de da do di del della den der du dos das van von la le al el'.split(' '),
);
const MAX_NAMES = 4;
const MIN_SPELLED = 3;
const WITHOUT_CAPITALS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** A name in a script without spaces or capitals is distinguished from a sentence by its length. */
const MAX_NAME_WITHOUT_CAPITALS = 4;
/** The words for "I", "you" and "not", which no name contains. */
const CHINESE_SENTENCE = /[我你不]/;

export function createBareNames(shared: SharedActs, dialogue: Dialogue): BareNames {
  const asking = new Set(Object.values(shared.asks).flatMap(({ examples }) => examples.flatMap(comparableWords)));
  const offTopic = new Set(shared.off.flatMap((text) => text.match(TOKEN) ?? []));
  const isOrdinary = (token: string): boolean =>
    comparableWords(token).some(
      (word) => word.length > 1 && (isFunctionWord(word) || isAnswerWord(word) || asking.has(word)),
    );

  const topical = readTopicalWords(dialogue);
  const isOtherWord = (token: string): boolean => {
    const word = token.toLowerCase();
    const isName = isUsedAsName(word);
    return isName === false || (isName === null && topical.has(word));
  };

  function isBareName(text: string): boolean {
    if (!ONLY_TOKENS.test(text)) return false;
    const withoutLeadIn = text.trim().replace(LEAD_IN, '');
    const all: string[] = withoutLeadIn.replaceAll(TITLE, ' ').match(TOKEN) ?? [];
    const isSpelled = all.filter((token) => token.length === 1).length >= MIN_SPELLED;
    const names = isSpelled ? all.filter((token) => token.length > 1) : all;
    // Brown, Park and King are ordinary words as well.
    const mayBeOrdinary = withoutLeadIn === text.trim() ? 1 : 0;
    const mayBeOther = names.some((token) => !isOtherWord(token) && isUsedAsName(token.toLowerCase()) === true) ? 1 : 0;
    return (
      (isSpelled || names.length > 0) &&
      names.filter((token) => !PARTICLES.has(token)).length <= MAX_NAMES &&
      names.filter((token) => !isCapitalised(token) && offTopic.has(token)).length <= mayBeOrdinary &&
      names.filter((token) => !PARTICLES.has(token) && isOtherWord(token)).length <= mayBeOther &&
      names.every((token) => PARTICLES.has(token) || (!isOrdinary(token) && mayBeName(token)))
    );
  }

  const expected = new WeakMap<DialogueNode, DialogueIntent | null>();
  return {
    isBareName,
    expectedAt: (node) => {
      const known = expected.get(node);
      if (known !== undefined) return known;
      const found = ASKS_FOR_NAME.test([...Object.values(node.say), ...node.rephrase].join(' '))
        ? findNameIntent(node)
        : findAnsweredWithNames(node, isBareName);
      expected.set(node, found);
      return found;
    },
  };
}

/** Words in answers to other questions of the scene: “toothache” where an appointment is made. */
function readTopicalWords({ nodes }: Dialogue): ReadonlySet<string> {
  const others = nodes.flatMap((node) => {
    const nameIntent = findNameIntent(node);
    return (node.understanding?.intents ?? []).filter((intent) => intent !== nameIntent);
  });
  const texts = others.flatMap(({ examples }) => examples.filter((text) => !saysAnyName(text)));
  return new Set(texts.flatMap((text) => (text.match(TOKEN) ?? []).filter((token) => !isCapitalised(token))));
}

/** Runs of neighbouring keys, repeated letters, and four or more letters without a vowel. "Werth" and "Ng" are names. */
const GIBBERISH =
  /^(?:qwer|asdf|sdfg|dfgh|fghj|ghjk|hjkl|zxcv|yxcv|xcvb|cvbn|vbnm|uiop|lkjh|mnbv)|(\p{L})\1\1|^[b-df-hj-np-tv-xz]{4,}$/iu;

const isCapitalised = (token: string): boolean => /^\p{Lu}/u.test(token);

function mayBeName(token: string): boolean {
  if (WITHOUT_CAPITALS.test(token)) return token.length <= MAX_NAME_WITHOUT_CAPITALS && !CHINESE_SENTENCE.test(token);
  const isLatin = /^\p{Script=Latin}/u.test(token);
  if (GIBBERISH.test(token)) return false;
  return isLatin ? !isForeignWord(token.toLowerCase()) : isCapitalised(token) || !/\p{Ll}/u.test(token);
}
