/**
 * Recognises clauses without information: "I don't know why", "I'd rather not say", "It wasn't my fault", "That's
 * unfair".
 */
import { comparableWords } from '../../text/comparable-words.ts';
import { isElliptic } from './elliptic-reply.ts';

const EVASIONS = [
  'unapologetic',
  'undecided',
  'unknown',
  'untold',
  'withheld',
  'denial',
  'nothing',
  'complaint',
  'postponed',
  'occupation',
  'name',
] as const;
export type Evasion = (typeof EVASIONS)[number];

const I = '(?:i|we|me)';
const ADVERBS =
  '(?:(?:really|honestly|just|still|actually|simply|also|even|exactly|quite|unfortunately|sadly|yet|ever|so|very|totally|completely|definitely|certainly|sorry|at all) )*';
const TIME =
  'yet|now|right now|at the moment|at this moment|today|for sure|exactly|at all|myself|either|any more|sorry';
const ABOUT =
  '(?:(?:you|him|her|them|anybody|anyone|it|that|this|anything|something|nothing|more) )*(?:about|on|to|with|for|of|why|when|how|who|what|where|which|if|whether|that)\\b.*';
const OBJECT = `(?:(?:you|him|her|them|anybody|anyone|it|that|this|anything|something|nothing|more|the \\w+|(?:a|an|any) (?:day|date|time|reason|answer|number|explanation)|${TIME})(?: |$))*`;
const TOLD = `(?: (?:${ABOUT}|${OBJECT}))?`;
const NOT_TO =
  '(?:will not|would not|do not|am not|are not|can not|could not|refuse|would rather not|rather not|prefer not|need not|never|am not allowed|are not allowed)(?: (?:going|want|like|have|need|allowed|able))?(?: to)?';
const LACKING =
  'idea|clue|explanation|answer|solution|comment|date|day|reason|plan|memory|information|example|suggestion|offer|opinion';

/**
 * Learners' statements about themselves, and promises to come back to something, meet an objective only where an
 * author's examples contain one, but may answer another question.
 */
const OF_SPEAKER: ReadonlySet<Evasion> = new Set<Evasion>(['postponed', 'occupation', 'name']);
const NOT_PROMISED: ReadonlySet<Evasion> = new Set(EVASIONS.filter((evasion) => evasion !== 'postponed'));
const SOME_TIME =
  '(?:again|back|first|then|soon|later|tomorrow|today|tonight|next|this|on|by|until|till|in|within|at|before|after|when|as soon)\\b.*';
const TO_COME_BACK =
  '(?:(?:call|phone|ring|text|e ?mail|contact|tell|inform|answer|message) you|(?:call|phone|ring|answer|decide)|let you know|get back to you|come back to you|give you (?:a (?:call|ring)|an answer|my answer|my decision)|write (?:to )?you|think about (?:it|that|this))';
const OCCUPATION =
  'engineer|teacher|nurse|doctor|student|manager|accountant|programmer|developer|designer|lawyer|driver|mechanic|electrician|architect|consultant|secretary|assistant|scientist|journalist|plumber|cook|chef|waiter|waitress|pharmacist|dentist|technician|electrical engineer|project manager|sales manager|software developer|software engineer';

/** Authors describe the speaker in more ways than those that are left out of learners' turns. */
const AUTHORS_OF_SPEAKER: readonly (readonly [Evasion, RegExp])[] = [
  ['occupation', /^(?:(?:hello|hi|yes|well|okay|so) )*(?:i am \w+(?: \w+)? and )?i (?:am|work as) (?:a|an|the) /],
  [
    'name',
    /^(?:(?:hello|hi|yes|sure|of course|good morning) )*(?:my name is|i am|it is|this is|the name is) \w+(?: \w+)?$/,
  ],
];

const whole = (...patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join('|')})$`);

/** Each matches a whole clause of comparable words. */
const PATTERNS: Readonly<Record<Evasion, RegExp>> = {
  unapologetic: whole(
    `${I} ${ADVERBS}${NOT_TO} ${ADVERBS}(?:apologi[sz]e|say (?:i am )?sorry|be sorry|sorry|regret)\\b.*`,
    `${I} (?:am|are) ${ADVERBS}not ${ADVERBS}sorry\\b.*`,
    'why should (?:i|we) (?:apologi[sz]e|say sorry|be sorry)\\b.*',
  ),
  undecided: whole(`${I} ${ADVERBS}(?:(?:can|could) not ${ADVERBS}decide|have not ${ADVERBS}decided)${TOLD}`),
  unknown: whole(
    `${I} ${ADVERBS}(?:(?:do|did|can|could) )?(?:not|no|never) ${ADVERBS}(?:know|knew|remember|recall)${TOLD}`,
    `${I} ${ADVERBS}(?:can|could) not ${ADVERBS}(?:say|tell|explain|answer|judge|imagine|guess)${TOLD}`,
    `${I} ${ADVERBS}(?:have|got|have got|see) ${ADVERBS}no (?:\\w+ )?(?:${LACKING})(?: (?:${ABOUT}|${TIME}))?`,
    `${I} ${ADVERBS}(?:do not|have not) ${ADVERBS}(?:have |got )?(?:a|an|any|the)? ?(?:\\w+ )?(?:${LACKING})(?: (?:${ABOUT}|${TIME}))?`,
    `${I} ${ADVERBS}have not ${ADVERBS}(?:thought|heard|been told|checked|asked)${TOLD}`,
    '(?:nobody|no one) (?:knows|told (?:me|us)|can (?:say|tell|know))\\b.*',
    `(?:it|that|this|the (?:reason|cause|date|day|time)) is (?:still )?(?:not (?:yet )?(?:clear|known|decided|certain)|unknown|unclear|(?:hard|difficult|impossible|too early) to (?:say|tell|know))(?: (?:${ABOUT}|${TIME}))?`,
  ),
  untold: whole(
    `${I} ${ADVERBS}${NOT_TO} ${ADVERBS}(?:talk|speak|say|tell|discuss|answer|explain|comment)${TOLD}`,
    '(?:that|it|this) is (?:really )?(?:none of your|not your) business',
    `${I} ${ADVERBS}have nothing (?:more |else )?to (?:say|add|tell)(?: ${ABOUT})?`,
    'no comment',
    '(?:(?:it|that|this) is )?(?:exactly |just )?(?:the )?same (?:thing )?(?:as|like) (?:before|ever|always|usual|the last time|last time|the time before)',
    'you (?:should|must|ought to|can) (?:already )?know (?:that|it|this)(?: yourself| already| better)?',
  ),
  withheld: whole(
    `${I} ${ADVERBS}(?:can not|could not|will not|would not|do not want to) ${ADVERBS}(?:offer|promise|guarantee|give|do|help|change)(?: ${OBJECT})?`,
    `${I} ${ADVERBS}have nothing (?:more |else )?(?:to (?:offer|give)|for you)(?: ${OBJECT})?`,
  ),
  denial: whole(
    `(?:it|that|this) (?:is|was) ${ADVERBS}not ${ADVERBS}(?:my|our) (?:\\w+ )?(?:fault|mistake|problem|job|business|responsibility|error|task)`,
    `(?:it|that|this) (?:is|was) ${ADVERBS}not ${ADVERBS}(?:because of (?:me|us)|(?:me|us))`,
    `${I} ${ADVERBS}(?:have )?(?:did |do )?(?:not |never )(?:have )?(?:do|done|did|make|made) ${ADVERBS}(?:anything|something|a mistake|any mistakes?)(?: ${ADVERBS}wrong)?`,
    `${I} ${ADVERBS}(?:have )?(?:did|done|made) nothing ${ADVERBS}wrong`,
    `${I} (?:am|are|was|were) ${ADVERBS}not ${ADVERBS}(?:guilty|to blame|responsible)(?: for\\b.*)?`,
    '(?:please )?(?:do not|stop) (?:blame|blaming) (?:me|us)(?: for\\b.*)?',
    `(?:it|that|this) (?:is|was) ${ADVERBS}(?:all )?your (?:own )?(?:fault|mistake|problem)`,
  ),
  nothing: whole(
    `${I} ${ADVERBS}(?:have )?(?:did|done) nothing`,
    `(?:it|that|this) ${ADVERBS}(?:had|has|did not have|does not have) (?:no|any) ${ADVERBS}(?:effects?|consequences?|influence|impact)(?: on\\b.*)?`,
    'nothing (?:bad |serious |special |at all )?(?:has |really )?happened(?: at all)?',
    `(?:it|that|this) (?:does|did) not ${ADVERBS}matter(?: at all)?`,
    `there (?:is|was) no (?:${LACKING})(?: for (?:it|that|this))?`,
  ),
  complaint: whole(
    `(?:that|it|this) (?:is|was) ${ADVERBS}(?:unfair|(?:not ${ADVERBS}(?:fair|true|right))|ridiculous|nonsense|a joke|a lie|rubbish|unbelievable|crazy|outrageous|an outrage|not acceptable|unacceptable)`,
    `you (?:are|were) (?:always |never |only )?${ADVERBS}(?:complaining|unfair|wrong|unfriendly|rude|lying|impossible|not fair|not (?:being )?fair|exaggerating)`,
  ),
  postponed: whole(
    `${I} (?:will|can|would|could|might|may|shall|am going to|want to|have to|need to|would like to|prefer to) ${ADVERBS}${TO_COME_BACK}(?: about (?:it|that|this))?(?: ${SOME_TIME})?`,
  ),
  occupation: whole(`i (?:am|work as) (?:(?:a|an) )?(?:${OCCUPATION})`),
  name: whole('my name is \\w+(?: \\w+)?'),
};

const SEPARATOR = /([.!?;,…]+\s*|\s+(?:and|but|so|because)\s+(?=(?:i|we|it|that|this|you|there|nobody)\b))/i;
const COURTESY =
  /^(?:(?:oh|ah|well|so|no|yes|but|and|or|because|look|listen|sorry|please|honestly|unfortunately|actually|frankly|sadly|really|to be (?:honest|frank)|i am (?:so |very |really )*(?:sorry|afraid)|i (?:think|guess|mean|must say)|excuse me|as i said|you know)(?: |$))+/;

function evasionOf(clause: string): Evasion | null {
  const plain = comparableWords(clause).join(' ').replace(COURTESY, '');
  const bare = plain.replace(/ (?:you know|really|sorry|i am (?:sorry|afraid))$/, '');
  return EVASIONS.find((evasion) => PATTERNS[evasion].test(plain) || PATTERNS[evasion].test(bare)) ?? null;
}

/** Polite words around an evasion, such as the apology in "I'm sorry, I don't know". */
const POLITE_WORDS = /\b(?:sorry|afraid|thanks?|please|unfortunately)\b/g;

export interface ProvableWords {
  /** The turn without the clauses that tell nothing; empty when it says nothing else. */
  told: string;
  /** Words such as "sorry" that occur next to such clauses. */
  polite: readonly string[];
}

/** Clauses of the kinds in `except` count as telling something. */
export function withoutEvasions(text: string, except: ReadonlySet<Evasion> = new Set()): ProvableWords {
  const parts = text.split(SEPARATOR);
  const kept = parts.filter((part, at) => {
    const evasion = at % 2 === 0 ? evasionOf(part) : null;
    return evasion === null || except.has(evasion);
  });
  if (kept.length === parts.length) return { told: text, polite: [] };
  const told = kept
    .join('')
    .replace(/^(?:hello|hi|hey|good (?:morning|afternoon|evening))?[^\p{L}\p{N}]*/iu, '')
    .trim();
  if (!isElliptic(told)) return { told, polite: [] };
  const courtesies = parts.map((part) => COURTESY.exec(comparableWords(part).join(' '))?.[0] ?? '');
  const polite = [told.toLowerCase(), ...courtesies].join(' ').match(POLITE_WORDS) ?? [];
  return { told: '', polite: [...new Set(polite)] };
}

export const onlyEvades = (text: string): boolean => text !== '' && withoutEvasions(text).told === '';

/** The turn without promises to come back to something. */
export const withoutPromises = (text: string): string => withoutEvasions(text, NOT_PROMISED).told;

export const onlyPromises = (text: string): boolean => text !== '' && withoutPromises(text) === '';

/** Says nothing at all, not even who the learner is. */
export const tellsNothing = (text: string): boolean => text !== '' && withoutEvasions(text, OF_SPEAKER).told === '';

/** The kinds of evasion among the sentences that do nothing else. */
export const evasionsAmong = (texts: readonly string[]): ReadonlySet<Evasion> =>
  new Set([
    ...texts.filter(onlyEvades).flatMap((text) => text.split(SEPARATOR).flatMap((part) => evasionOf(part) ?? [])),
    ...texts.flatMap((text) => {
      const plain = comparableWords(text).join(' ');
      return AUTHORS_OF_SPEAKER.flatMap(([evasion, pattern]) => (pattern.test(plain) ? evasion : []));
    }),
  ]);
