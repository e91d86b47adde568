/** Replaces a value that a learner puts right in the same breath: "on Monday, no wait, on Tuesday" means Tuesday. */
import { comparableWords } from '../../../text/comparable-words.ts';
import { parseSpoken } from '../spoken-text.ts';
import { spellOutFigures } from '../values/figures.ts';
import { onlyValueKinds } from '../values/slots.ts';

const DIGITS = String.raw`[$€£]?\d[\d.,:/-]*(?: \d[\d.,:/-]*)*%?`;
const NUMBER_WORD =
  '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|quarter)';
const NUMBER = `(?:${DIGITS}|(?:a )?${NUMBER_WORD}(?:[ -](?:and )?(?:a )?${NUMBER_WORD})*)`;
const PART_OF_DAY = '(?: (?:morning|afternoon|evening|night|at noon))?';
const DAY = `(?:(?:next|this|last|coming) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?${PART_OF_DAY}|today|tonight|tomorrow${PART_OF_DAY}|(?:next|this) (?:week|month|year)`;
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const ORDINAL = String.raw`(?:the )?(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth|\d{1,2}(?:st|nd|rd|th))`;
const DATE = `${DAY}|${ORDINAL}(?: (?:of )?${MONTH})?|\\d{1,2} ${MONTH}|${MONTH} (?:${ORDINAL}|\\d{1,2})|${MONTH}`;

const MARK =
  "(?:no|nope|wait|sorry|i'?m sorry|i am sorry|pardon|excuse me|oh|ah|oops|i mean|i meant(?: to say)?|i wanted to say|or rather|or better|actually|correction|make that|make it|scratch that|that'?s wrong|that is wrong|hang on|hold on|let me correct (?:that|myself)|not that)";
const PAUSE = '[\\s,.;:…–—-]';
const MARKER = new RegExp(`${PAUSE}+${MARK}(?:${PAUSE}+${MARK})*${PAUSE}+`, 'gi');
const ONLY_SURPRISED = new RegExp(`^${PAUSE}*(?:oh|ah)${PAUSE}*$`, 'i');
/** "No one told me." */
const NO_ONE = /\bno one [a-z]/i;

/** "No, Thursday" may answer a question; "No wait, Thursday" puts something right. */
const LEADING_MARK = new RegExp(
  `^(?=.*\\b(?:wait|mean|meant|rather|better|actually|correction|make|scratch|wrong|hang|hold)\\b)(?:${MARK}${PAUSE}+)+`,
  'i',
);

const PREPOSITION = '(?:on|at|by|in|for|until|till|to|from|about|around|before|after|with)';
const RESTART =
  "(?:it'?s|it is|it was|it will be|it'?ll be|that'?s|i'?m|i am|i need|we need|we are|we'?re|i said|i have|we have|under|the name is|my name is|my number is|the number is)";
const NEGATED = /(?:\b(?:not|no|never|cannot|neither|nor)|n['’]t)\b[^.!?;,]*$/i;
/** A reason may follow that concerns only the second value: "on Monday, sorry, Tuesday is too late". */
const OF_SECOND = /^ (?:is|are|was|would|will|works|suits|won|can|could)\b/i;

interface Value {
  before: string;
  value: string;
  unit: string;
}

const atEnd = (pattern: string, unit = ''): RegExp => new RegExp(`^(.*?)(?<![\\w-])(${pattern})(${unit})$`, 'is');
const atStart = (pattern: string): RegExp =>
  new RegExp(
    `^((?:(?:${RESTART}|${PREPOSITION}) )*(?:(?!(?:the|${NUMBER_WORD})\\b)[\\p{L}]{1,3} )?)(${pattern})(?![\\w-])`,
    'iu',
  );

const UNIT = String.raw`(?: (?!(?:${MARK.slice(3, -1)}|and|or|but)\b)[a-z'’]+){0,2}`;
const KINDS = [
  { first: atEnd(DATE), second: atStart(DATE), hasUnit: false },
  { first: atEnd(NUMBER, UNIT), second: atStart(NUMBER), hasUnit: true },
] as const;

const NAME = String.raw`[\p{L}][\p{L}'’-]*`;
const NAMED = new RegExp(
  `^(.*\\b(?:my name is|my name'?s|i'?m called|the name is|under the name(?: of)?|mr|mrs|ms)\\.? )(${NAME}(?: ${NAME})?)$`,
  'isu',
);
const OTHER_NAME = new RegExp(`^(?:${RESTART} )?(${NAME}(?: ${NAME})?)(?=\\s*[.!]?\\s*$)`, 'iu');

/** The value of a turn that only names another one than before, such as "No wait, Thursday"; null for any other turn. */
export function correctedValue(text: string): string | null {
  const value = text.trim().replace(LEADING_MARK, '');
  const { plain } = parseSpoken(spellOutFigures(value));
  return value === text.trim() || onlyValueKinds(plain).length === 0 ? null : value.replace(/[.!]+$/, '');
}

const MAX_CORRECTIONS = 4;

/** Not "he was just joking", and not "I was joking about the price". */
const JOKE =
  /(?<!\b(?:he|she|they|you|we|it|is|are|was|were|be|not|['’]s|['’]re) )\b(?:just|only|i['’]?m|i am|i was)(?: just| only)? (?:kidding|joking)\b(?! (?:about|with|around|when|that|me|because)\b)[\s,.;:!…–—-]*/i;
const LAST_SENTENCE = /[^.!?…]*[\s.!?…]*$/;
/** A longer sentence says something else as well. */
const MAX_WORDS_OF_JOKE = 8;

/** "Do I have to? Just kidding, sure." means "Sure." What was said before the joke still counts. */
function withoutJoke(text: string): string {
  const taken = JOKE.exec(text);
  if (taken === null) return text;
  const before = text.slice(0, taken.index);
  const start = before.search(LAST_SENTENCE);
  const meant = text.slice(taken.index + taken[0].length);
  const isLong = comparableWords(before.slice(start)).length > MAX_WORDS_OF_JOKE;
  return isLong || comparableWords(meant).length === 0 ? text : `${before.slice(0, start)} ${meant}`.trim();
}

const SEARCHING =
  "(?:how (?:do|would|can) (?:you|i|we) (?:say|call)(?: (?:it|that|this))?|what do you call (?:it|that|this)|what(?:['’]s| is) (?:it|that|this) called|what(?:['’]s| is) the (?:right |english )?word(?: for (?:it|that|this))?)(?: in english)?";
const SEARCH_AT_START = new RegExp(`^\\W*${SEARCHING}(?:\\s*[,.;:…–—-])+\\s*`, 'i');
/** "What is it called exactly" asks. */
const ASKED = '(?:again|exactly|please|here|then|and|so|if|when)';
const SEARCH_WITHIN = new RegExp(
  `[\\s,.;:…–—-]+${SEARCHING}(?=[\\s,.;:?…–—-]+\\p{L})(?![\\s,.;:?…–—-]+${ASKED}\\b)[?.…]*`,
  'iu',
);
/** "Could you tell me how do you say this?" */
const ASKS_FOR_WORD = /\b(?:tell|know|ask|explain|question|sorry|please|teach|help|forgot|mean|what)\b/i;
/** With fewer words, the learner may really be asking for the word. */
const MIN_WORDS_AROUND_SEARCH = 5;

/** "We would be, how do you say, a loyal customer" searches for a word, and finds it. */
function withoutWordSearch(text: string): string {
  const at = text.search(SEARCH_WITHIN);
  const isWithin = at > 0 && comparableWords(text.slice(0, at)).length > 1 && !ASKS_FOR_WORD.test(text.slice(0, at));
  const found = isWithin ? text.replace(SEARCH_WITHIN, '') : text.replace(SEARCH_AT_START, '');
  return comparableWords(found).length < MIN_WORDS_AROUND_SEARCH ? text : found;
}

/**
 * The text in which only the last value counts, without jokes that are taken back; the text itself when nothing is
 * corrected.
 */
export function withoutSelfCorrections(text: string): string {
  let corrected = withoutWordSearch(withoutJoke(text));
  for (let count = 0; count < MAX_CORRECTIONS; count += 1) {
    const next = correctOnce(corrected);
    if (next === null) break;
    corrected = next;
  }
  return corrected;
}

function correctOnce(text: string): string | null {
  for (const marker of text.matchAll(MARKER)) {
    if (ONLY_SURPRISED.test(marker[0])) continue;
    const left = text.slice(0, marker.index);
    const right = text.slice(marker.index + marker[0].length);
    if (NO_ONE.test(`${marker[0]}${right}`)) continue;
    const corrected = correctValue(left, right) ?? correctName(left, right);
    if (corrected !== null) return corrected;
  }
  return null;
}

function correctValue(left: string, right: string): string | null {
  for (const { first, second, hasUnit } of KINDS) {
    const wrong = readFirst(first, left);
    const [all = '', lead = '', value = ''] = second.exec(right) ?? [];
    if (wrong === null || all === '' || NEGATED.test(wrong.before)) continue;
    const rest = right.slice(all.length);
    if (wrong.before.trim() !== '' && OF_SECOND.test(rest)) continue;
    const unit = hasUnit ? unitOf(wrong.unit, rest) : '';
    const restart = restartOf(wrong.before, lead);
    if (unit !== null && restart !== null) return `${restart}${value}${unit}${rest}`;
  }
  return null;
}

function readFirst(pattern: RegExp, left: string): Value | null {
  const found = pattern.exec(left);
  return found === null ? null : { before: found[1] ?? '', value: found[2] ?? '', unit: found[3] ?? '' };
}

/**
 * The unit of the first value also applies to the second one, unless that has its own; null if they measure different
 * things.
 */
function unitOf(unit: string, rest: string): string | null {
  if (unit === '' || rest.toLowerCase().startsWith(unit.toLowerCase())) return '';
  return /^\s*(?:[.,;!?…]|$|(?:and|but|so|because|please)\b)/i.test(rest) ? unit : null;
}

/** The text before the second value: "on", "BA" or "it's" may be repeated. Null if it begins with anything else. */
function restartOf(before: string, lead: string): string | null {
  if (lead === '') return before;
  if (before.toLowerCase().endsWith(lead.toLowerCase())) return before;
  const own = new RegExp(`^(?:(?:${RESTART}) )*((?:${PREPOSITION} )?)(.*)$`, 'i').exec(lead);
  const [, preposition = '', other = ''] = own ?? [];
  if (other !== '' && !before.toLowerCase().endsWith(other.toLowerCase())) return null;
  if (preposition === '') return before;
  return `${before.replace(new RegExp(`\\b${PREPOSITION} $`, 'i'), '')}${preposition}${other}`;
}

function correctName(left: string, right: string): string | null {
  const before = NAMED.exec(left)?.[1];
  const [all = '', name = ''] = OTHER_NAME.exec(right) ?? [];
  return before === undefined || name === '' ? null : `${before}${name}${right.slice(all.length)}`;
}
