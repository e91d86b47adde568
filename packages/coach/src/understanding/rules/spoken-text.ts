/** Normalises a learner's turn: expands contractions, stems words, marks negation, and recognises questions without a question mark. */
import { comparableWords, isFunctionWord } from '../../text/comparable-words.ts';

const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  `be: am is are was were been being; have: has had having; do: does did done doing; go: goes went gone going; get: got gotten getting;
   make: made making; take: took taken taking; come: came coming; give: gave given giving; send: sent; break: broke broken; buy: bought;
   bring: brought; think: thought; find: found; leave: left leaving; lose: lost; keep: kept; tell: told; say: said; pay: paid; meet: met;
   run: ran running; feel: felt; hear: heard; know: knew known; write: wrote written writing; speak: spoke spoken; begin: began begun;
   build: built; sell: sold; spend: spent; stand: stood; teach: taught; understand: understood; win: won; steal: stole stolen;
   fall: fell fallen; forget: forgot forgotten; see: saw seen; hold: held; sleep: slept; eat: ate eaten; drive: drove driven;
   fly: flew flown; choose: chose chosen; become: became; shut: shutting; sit: sat; deal: dealt; catch: caught; grow: grew grown;
   child: children; person: people; man: men; woman: women; good: better best; bad: worse worst`
    .split(';')
    .flatMap((entry): [string, string][] => {
      const [base = '', forms = ''] = entry.trim().split(': ');
      return forms.split(/\s+/).map((form) => [form, base]);
    }),
);

/** Returns a word's stem. Unrelated words may share one, which the other features compensate for. */
export function stem(word: string): string {
  const base = IRREGULAR_FORMS.get(word);
  if (base !== undefined) return base;
  if (word.length <= 3) return word;
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^su])s$/, '$1');
  const [, root] = /^(.{3,}?)(?:ing|ed|ation|ment|ness|ly|able|er)$/.exec(singular) ?? [];
  const short = root !== undefined && /[aeiouy]/.test(root) ? root.replace(/([bdgklmnprt])\1$/, '$1') : singular;
  return short.replace(/e$/, '').replace(/i$/, 'y');
}

const NEGATIONS: ReadonlySet<string> = new Set([
  'not',
  'no',
  'never',
  'without',
  'nothing',
  'nobody',
  'hardly',
  'none',
]);
/** The number of words after a negation that it covers. */
const NEGATION_SCOPE_WORDS = 3;

const AUXILIARIES = 'is|are|am|was|were|do|does|did|can|could|may|might|would|will|shall|should|have|has|had|must';
const SUBJECTS =
  'i|you|we|they|he|she|it|there|this|that|these|those|the|your|my|our|any|a|an|someone|anyone|everyone|all';
const LEAD_INS =
  'and|so|but|or|sorry|please|well|okay|ok|hello|hi|hey|thanks|thank you|yes|no|oh|ah|good morning|good evening|excuse me|just|wait|um|uh|hm';
const WH = 'what|when|where|who|which|why|how|whose';
/** "When he works, he hears nothing" is not a question, but "where the toilet is, please" is one. */
const SUBORDINATE = `(?!(?:when|where) (?:${SUBJECTS}) [^.!?,;]+, (?!(?:please|thanks|thank you|sorry)\\b)[^.!?;]*(?:[.!;]|$))`;
const WH_QUESTION = new RegExp(
  `(?:^|[.!?,;] )(?:(?:${LEAD_INS}),? )*${SUBORDINATE}(?:${WH})\\b(?! (?:i|we) (?:am|have|can|will|see|need|think|mean|want)\\b)`,
);
/** Without the inversion, only a whole short turn asks: "where I can park the car". "What we can do is split the cost" offers something. */
const NOT_INVERTED = new RegExp(
  `^(?:(?:${LEAD_INS}),? )*(?:when|where|how|what) (?:i|we) (?:can|must|should)(?: (?!(?:is|are|was|would)\\b)[^ .!?,;]+){1,6}[.?]?$`,
);
/** "Have a safe trip" is a wish or an offer. */
const AUX_QUESTION = new RegExp(
  `(?:^|[.!?,;] )(?:(?:${LEAD_INS}),? )*(?!have an? )(?:${AUXILIARIES}) (?:${SUBJECTS})\\b`,
);
/** Recognised speech has no punctuation: a question may follow in mid-turn ("and how much is it") or at the end ("the fee what is that"). */
const LATE_QUESTION = new RegExp(
  [
    `\\b(?:and|but|so|or|okay|ok|sorry|please|yes|no|well) (?:${WH})(?: (?:\\w+ )?(?:${AUXILIARIES}))? (?:${AUXILIARIES}|${SUBJECTS})\\b`,
    `\\b(?:${WH}) (?:${AUXILIARIES}) (?:it|that|this|you|he|she|they)(?: mean| for| about| again| exactly)?\\W*$`,
  ].join('|'),
);
/** A proposal phrased as a question counts as an answer. */
const PROPOSAL = new RegExp(
  [
    '\\b(?:what|how) about\\b',
    '\\b(?:is|would|does|will) (?:that|it|this) (?:be )?(?:okay|ok|fine|all right|alright|possible|work|suit|good|enough)\\b',
    '\\bshall (?:we|i)\\b',
    '\\bwhat if\\b',
    '\\bwhy (?:do not|not) we\\b',
    '\\bhow does that sound\\b',
    '\\bwould you (?:accept|agree|take|be happy)\\b',
    '\\b(?:can|could) we (?:say|do|make|agree|meet|talk|speak|discuss|come back|move|start|try|keep|leave|have)\\b',
  ].join('|'),
);

/** "What about keeping it?" suggests something, whereas "What about the price?" asks. */
const SUGGESTION =
  /^(?:(?:and|but|so|or|well|okay|hm|then|maybe|perhaps) )*(?:(?:what|how) about \w{3,}ing\b|what if we\b|why (?:do not|not) we\b|shall we\b|(?:can|could) (?:we|not we|we not) )/;

export const isProposal = (text: string): boolean => SUGGESTION.test(comparableWords(text).join(' '));

export type QuestionForm = 'none' | 'wh' | 'auxiliary' | 'mark';

export interface SpokenText {
  /** Lower case, contractions expanded, punctuation reduced to single marks, for pattern matching. */
  plain: string;
  words: readonly string[];
  stems: readonly string[];
  /** Whether each word follows a negation. */
  isNegated: readonly boolean[];
  question: QuestionForm;
}

const FILLER = /(?<![\w'])(?:um+|uhm?|erm?|eh|hmm+|mmm*)(?![\w'])[,.… ]*/gi;
const REPEATED_WORD = /\b(i|we|you|it|he|she|they|the|a|to|is|was|and|but|my|our|in|of|have)(?:[ ,]+\1\b)+/gi;

/** Leaves out hesitation and false starts, unless nothing else was said. */
function withoutHesitation(text: string): string {
  const fluent = text.replaceAll(FILLER, '').replaceAll(REPEATED_WORD, '$1');
  return fluent !== text && comparableWords(fluent).length === 0 ? text : fluent;
}

/** "Hm, well ...", but not "Mm-hmm", which agrees. */
export function isOnlyHesitation(text: string): boolean {
  if (text.includes('?') || /\bm+-?\s?h+m+\b|\buh-?\s?huh\b/i.test(text)) return false;
  const rest = text.replaceAll(/\bhm\b/gi, '').replaceAll(FILLER, '');
  return rest !== text && comparableWords(rest).every((word) => /^(?:oh|ah|well|so)$/.test(word));
}

/** Recognisers write small numbers as digits or as words. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, number) => [`${number}`, word]),
);

export function parseSpoken(said: string): SpokenText {
  const text = withoutHesitation(said);
  const plain = plainWithPunctuation(text);
  const words = comparableWords(text).map((word) => NUMBER_WORDS.get(word) ?? word);
  const isNegated = words.map((_, at) =>
    words.slice(Math.max(0, at - NEGATION_SCOPE_WORDS), at).some((word) => NEGATIONS.has(word)),
  );
  return { plain, words, stems: words.map(stem), isNegated, question: questionForm(plain) };
}

function questionForm(plain: string): QuestionForm {
  if (PROPOSAL.test(plain)) return 'none';
  if (WH_QUESTION.test(plain) || NOT_INVERTED.test(plain)) return 'wh';
  if (AUX_QUESTION.test(plain)) return 'auxiliary';
  if (LATE_QUESTION.test(plain)) return 'wh';
  return /\?\s*$/.test(plain) ? 'mark' : 'none';
}

export const lastQuestion = (text: string): string => /[^.!?]*\?(?=[^?]*$)/.exec(text)?.[0].trim() ?? text;

/** Whether two texts have a word in common that carries meaning. */
export function sharesContentWord(one: string, other: string): boolean {
  const stems = new Set(comparableWords(other).map(stem));
  return comparableWords(one).some((word) => word.length > 2 && !isFunctionWord(word) && stems.has(stem(word)));
}

export const isQuestion = (text: string): boolean => parseSpoken(text).question !== 'none';

const ABOUT_SPEAKER = /^(?:(?:because|well|so|and|but|oh|yes|no),? )*(?:i|we|my|our)\b/;
const ASKING =
  /\b(?:ask\w*|know|tell|wonder\w*|curious|questions?|interest\w*|explain|hear|what|how|who|when|where|which|why|whether|if|about|more)\b/;

/** "I will tell you what it was" announces an answer. */
const TELLING = /\b(?:tell|show|explain|send|write|give|let|call)(?: (?:to|it to))? you\b.*/;

/** A sentence in the first person that asks nothing, not even indirectly. */
export function isStatement(text: string): boolean {
  const { plain, question } = parseSpoken(text);
  return (
    question === 'none' && !text.includes('?') && ABOUT_SPEAKER.test(plain) && !ASKING.test(plain.replace(TELLING, ''))
  );
}

/** Comparable words with sentence and clause punctuation kept. */
const plainWithPunctuation = (text: string): string =>
  text
    .split(/(?<=[.!?,;])\s+/)
    .map((part) => {
      const [mark = ''] = /[.!?,;]$/.exec(part.trim()) ?? [];
      return comparableWords(part).join(' ') + mark;
    })
    .join(' ')
    .trim();

/** Splits a text such as "How much is it and can I have a cat" into its questions. */
export const splitQuestions = (text: string): string[] =>
  text.split(/,?\s+and\s+(?=(?:can|could|may|is|are|do|does|what|when|where|how|who|which|why)\b)/i);

/** Returns the sentences and clauses of a long turn, without the turn itself. */
export function splitClauses(text: string): string[] {
  const sentences = text.split(/(?<=[.!?;])\s+/);
  const clauses = sentences.flatMap((sentence) =>
    sentence.split(
      /,?\s+(?=(?:but|and|so|because|then)\s+(?:i|we|you|it|they|he|she|there|that|this|the|my|our|your)\b)/i,
    ),
  );
  const parts = [...new Set([...sentences, ...clauses].map((part) => part.trim()).filter((part) => part !== ''))];
  return parts.filter((part) => part !== text.trim());
}
