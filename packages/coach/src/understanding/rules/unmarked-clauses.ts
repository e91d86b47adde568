/**
 * Finds where a new clause begins in a sentence without punctuation, as recognisers and hasty writers leave it: "two
 * nights | can I park my car here", "is it loud | I want a quiet room".
 */
import { comparableWords } from '../../text/comparable-words.ts';

const AUXILIARY = 'can|could|do|does|did|would|will';
const QUESTION_START = new RegExp(
  [
    `(?:what|when|where|who|why|how)(?: (?:much|many|long|far|often|soon|old|late|big))?(?: \\w+)? (?:is|are|was|were|has|have|${AUXILIARY})(?:n['’]t)? (?:the|a|there|it|i|we|you|they|he|she|that|this|my|your)\\b`,
    `(?:${AUXILIARY}) (?:i|we|you|they|he|she)\\b`,
    '(?:is|are) there (?!is|are|was)\\w',
    'is (?:it|that) \\w',
  ]
    .map((pattern) => `(?:${pattern})`)
    .join('|'),
  'iy',
);
const STATEMENT_START =
  /(?:(?:i|we) (?:am|have|need|want|would|can|could|will|do|did|was|work|live|take|like|came|come|also|don['’]?t|didn['’]?t|can['’]?t)\b|i['’]m\b|(?:i|we)['’]?ve\b|my (?:\w+ )?(?:name|number|phone|email|address|job|flight|room) is\b|it['’]?s (?:a|an|the|in|on|about|for|very|too)\b|it is (?:a|an|the|in|on|about|for|very|too)\b|there is\b|this is\b)/iy;

/** After these words, the clause belongs to what was said before: "I don't know where it is", "because I have to". */
const CONTINUED: ReadonlySet<string> = new Set(
  (
    'that when if where what how why who which whose while as than and but so or nor neither because since before after until till though although ' +
    'think thought hope know knew say said guess believe sure afraid see feel wish mean tell ask wonder understand remember check find show me us you ' +
    'to of for the a an my your our his her their this these those in on at with about from by not never only then now maybe perhaps ' +
    'everything something anything nothing all once much many long far often soon like ' +
    'i we they he she it there is are was were be do does did can could will would have has had'
  ).split(' '),
);
/** "The file I need", "the day I came". */
const WITH_RELATIVE_CLAUSE = /^(?:things?|time|way|reason|day|moment|file|e?mail|ones?|place|person|man|woman)$/;
const MIN_WORDS_BEFORE = 2;
const MIN_WORDS_AFTER = 3;

/** The clauses of a sentence that has no punctuation within; only the sentence itself when it has some, or no clause begins in it. */
export function splitUnmarked(sentence: string): string[] {
  const text = sentence.trim();
  if (/[.!?,;:…]\s*\S/.test(text)) return [text];
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, index }));
  const clauses: string[] = [];
  let start = 0;
  for (const [at, { index }] of words.entries()) {
    if (at < start + MIN_WORDS_BEFORE || words.length - at < MIN_WORDS_AFTER) continue;
    if (!beginsAt(text, index, words[at - 1]?.word ?? '')) continue;
    clauses.push(text.slice(words[start]?.index, index).trim());
    start = at;
  }
  return [...clauses, text.slice(words[start]?.index)];
}

function beginsAt(text: string, index: number, before: string): boolean {
  const isFound = (pattern: RegExp): boolean => {
    pattern.lastIndex = index;
    return pattern.test(text);
  };
  const isQuestion = isFound(QUESTION_START);
  if (!isQuestion && !isFound(STATEMENT_START)) return false;
  const previous = comparableWords(before).at(-1) ?? '';
  return !CONTINUED.has(previous) && (isQuestion || !WITH_RELATIVE_CLAUSE.test(previous));
}
