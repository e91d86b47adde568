/**
 * Frequent mistakes of learners that hardly ever occur in correct English, each with a pattern and a better wording. A rule is left out
 * rather than wrong once in a while.
 */
import { articleFor, CLAUSE_OR_QUESTION, type GrammarPattern, MANY, replacing, rule } from './grammar-pattern.ts';
import { NOUN_PHRASE_PATTERNS } from './noun-phrase-rules.ts';
import { PREPOSITION_PATTERNS } from './preposition-rules.ts';

const CLAUSE = String.raw`(?<=^|[.!?,;:…]\s+|\b(?:and|but|because|so|think|know|hope|sorry)\s+)`;
/** After "and", one person may be the second of two: "the driver and the client have agreed". */
const CLAUSE_OF_ONE = String.raw`(?<=^|[.!?;:…]\s+|\b(?:but|because|so|think|know|hope|sorry),?\s+)`;
/** In "the reason I did it was" no question is asked. */
const QUESTION = String.raw`(?<=^|[.!?,;:…]\s+|\b(?:and|but|so|what|when|where|who|why|how|whom|which|yesterday|today|then)\s+)`;
/** Recognised speech has no full stops: "I came back yesterday we get the parts on Monday". */
const CLAUSE_OF_YESTERDAY = String.raw`(?<=^|[.!?,;:…]\s+|\b(?:and|but|because|so|that|think|know|hope|sorry|well|actually)\s+)`;
/** As a condition or with an adverb before it: "if she have time". After "that", a subjunctive would be correct. */
const SUBORDINATE = String.raw`(?<=\b(?<!\bthat\s+)(?:if|when|well|actually|yes|no|unfortunately|maybe|today|now)\s+)`;
/** Of two people, the verb is a plural: "he and she don't agree". */
const NO_SECOND_PERSON = String.raw`(?<!\b(?:and|or|nor|than|like|as|but)\s+)`;
/** In "those who didn't paid later" and "the shoes I have came late", another verb follows a finished clause. */
const NO_RELATIVE = String.raw`(?<!\b(?:who|(?:ones?|few|two) that)\s+)`;
const NO_OWNED_THING = String.raw`(?<!\b(?:(?:the|these|an?)\s+(?!(?:morning|afternoon|evening|weekend|moment|end)\b)[a-z]+|those)\s+)`;
/** With a time in the past, "I have broken it last year" and "He doesn't work yesterday" would be wrong as well. */
const NO_PAST_TIME = String.raw`(?![^.!?,;]*\b(?:yesterday|ago|last (?:night|week|weekend|month|year|spring|summer|autumn|winter|[a-z]+day))\b)`;
/** The next word makes a hint easier to place, unless it is one that cannot end a phrase. */
const OPTIONAL_WORD = String.raw`(?:\s+(?!(?:an?|the|to|of|my|our|your|their|his|her)\b)[a-z']+)?`;

const SINGULAR =
  '(?:he|she|it|(?:my|our|the) (?:boss|colleague|manager|client|customer|supplier|driver|wife|husband|order|delivery|truck|machine|system|computer|train|plane))';
/** "You" may also end the subject: "the link that I sent you", "the contract between us and you". */
const CLAUSE_OF_YOU = String.raw`(?<=(?:^|[.!?,;:…]\s+)(?:(?:but|and|if|when|why)\s+)?|\b(?:because|so|think|know|hope|sorry)\s+)`;
const SUBJECT_WE = String.raw`(?:(?<!\b(?:of|and|like|than|for|with)\s+)\b(?:I|we|they)|${CLAUSE_OF_YOU}you)`;
const ACTIONS = 'need|want|know|like|think|work|live|speak|understand|help|come|say|make|take';

const BASE_OF: Readonly<Record<string, string>> = {
  went: 'go',
  came: 'come',
  saw: 'see',
  had: 'have',
  was: 'be',
  got: 'get',
  took: 'take',
  made: 'make',
  told: 'tell',
  knew: 'know',
  thought: 'think',
  sent: 'send',
  bought: 'buy',
  brought: 'bring',
  forgot: 'forget',
  did: 'do',
  gave: 'give',
  spoke: 'speak',
  wrote: 'write',
  understood: 'understand',
  heard: 'hear',
  felt: 'feel',
  lost: 'lose',
  kept: 'keep',
  met: 'meet',
  spent: 'spend',
  slept: 'sleep',
  ate: 'eat',
  drove: 'drive',
  began: 'begin',
  chose: 'choose',
  taught: 'teach',
  sold: 'sell',
};
const BASE_OF_REGULAR: Readonly<Record<string, string>> = {
  worked: 'work',
  called: 'call',
  finished: 'finish',
  received: 'receive',
  arrived: 'arrive',
  wanted: 'want',
  needed: 'need',
  liked: 'like',
  ordered: 'order',
  checked: 'check',
  tried: 'try',
  asked: 'ask',
  started: 'start',
  paid: 'pay',
  stopped: 'stop',
  changed: 'change',
  missed: 'miss',
  helped: 'help',
  talked: 'talk',
  waited: 'wait',
  learned: 'learn',
  studied: 'study',
  lived: 'live',
  happened: 'happen',
  decided: 'decide',
  answered: 'answer',
  expected: 'expect',
  cancelled: 'cancel',
  noticed: 'notice',
  agreed: 'agree',
  signed: 'sign',
  delivered: 'deliver',
  explained: 'explain',
};
const PARTICIPLE_OF: Readonly<Record<string, string>> = {
  went: 'gone',
  saw: 'seen',
  did: 'done',
  took: 'taken',
  wrote: 'written',
  spoke: 'spoken',
  forgot: 'forgotten',
  gave: 'given',
  came: 'come',
  began: 'begun',
  broke: 'broken',
  knew: 'known',
  ate: 'eaten',
  chose: 'chosen',
};
const PAST_OF: Readonly<Record<string, string>> = {
  go: 'went',
  come: 'came',
  see: 'saw',
  take: 'took',
  make: 'made',
  send: 'sent',
  buy: 'bought',
  write: 'wrote',
  speak: 'spoke',
  meet: 'met',
  get: 'got',
  say: 'said',
  tell: 'told',
  forget: 'forgot',
};
const PAST_OF_REGULAR: Readonly<Record<string, string>> = {
  finish: 'finished',
  work: 'worked',
  call: 'called',
  talk: 'talked',
  start: 'started',
  try: 'tried',
  check: 'checked',
  receive: 'received',
  ask: 'asked',
  visit: 'visited',
  arrive: 'arrived',
};
const anyOf = (forms: Readonly<Record<string, string>>): string => Object.keys(forms).join('|');
const lookUp = (forms: Readonly<Record<string, string>>, word = ''): string => forms[word.toLowerCase()] ?? word;

const DURATION = String.raw`(?:(?:about|around|almost|nearly|over|more than)\s+)?(?:(?:a\s+few|a\s+couple\s+of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty|many|several|some|\d+)\s+(?:(?:long|whole)\s+)?(?:years?|months?|weeks?|days?|hours?|minutes?)|a\s+(?:very\s+)?long\s+time)`;
const COMPARED =
  'happier|busier|closer|younger|simpler|clearer|healthier|cleaner|taller|better|worse|bigger|smaller|cheaper|faster|easier|slower|higher|lower|older|nicer|quicker|louder|quieter|stronger|safer|shorter';
const MASS = 'information|advice|furniture|equipment|feedback|homework|luggage|baggage|software|knowledge';
const AFTER_NOUN = String.raw`(?=\s*(?:$|[.!?,;:…])|\s+(?:about|for|from|to|but|that|which|please|because)\b|(?<=information|advice)\s+(?:and|of)\b)`;
/** Recognised speech has no commas: "I could to be honest do better". */
const REMARK = String.raw`(?:be\s+(?:honest|fair|frank)|tell\s+(?:you\s+)?the\s+truth)\b`;
/** "I can to some extent." */
const DETERMINER = '(?:an?|the|this|that|any|some|my|your|our|his|her|their|what|no)';
const COUNTED_ONE_BY_ONE = 'people|persons|questions|problems|customers|things|boxes|chairs|emails|e-mails';
/** "There is ten minutes left" is correct, because the time is one amount. */
const COUNTED = `${COUNTED_ONE_BY_ONE}|days|weeks|months|years|hours|minutes|nights`;
/** Not in "how much people spend" and "how much chairs cost". */
const AFTER_COUNTED = String.raw`(?=\s*(?:$|[.!?,;])|\s+(?:are|were)\s+(?:there|you|we|they|coming|left)\b|\s+(?:do|does|did|is|will|should|can|have|has|would)\s+(?:you|we|they|I|it|he|she|this|there)\b)`;

const OBJECT_OF: Readonly<Record<string, string>> = { he: 'him', she: 'her', they: 'them', we: 'us' };
/** Unlike "I want that you know", none of them can follow "I want that" as a remark of its own. */
const WANTED = 'come|send|call|help|tell|give|wait|bring|pay|finish|listen|write|explain|check|stay|repeat|speak';
const NUMBER = String.raw`(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)`;

const beOf = (who: string): string => (/^i$/i.test(who) ? 'am' : /^s?he$/i.test(who) ? 'is' : 'are');
const objectOf = (who: string): string => (/^i$/i.test(who) ? 'me' : (OBJECT_OF[who.toLowerCase()] ?? who));

export const GRAMMAR_PATTERNS: readonly GrammarPattern[] = [
  ...PREPOSITION_PATTERNS,
  ...NOUN_PHRASE_PATTERNS,
  rule(
    'agreement',
    `(?:${CLAUSE_OF_ONE}${SINGULAR}|${NO_SECOND_PERSON}\\bs?he)\\s+(?:don't|don’t|do not|dont)\\b${NO_PAST_TIME}${OPTIONAL_WORD}`,
    replacing(/don't|don’t|do not|dont/i, "doesn't"),
  ),
  rule(
    'agreement',
    `(?:${CLAUSE_OF_ONE}${SINGULAR}|${SUBORDINATE}s?he)\\s+have\\b${NO_PAST_TIME}${OPTIONAL_WORD}`,
    replacing(/\bhave\b/i, 'has'),
  ),
  rule(
    'agreement',
    `${CLAUSE_OF_ONE}(he|she)\\s+do\\b(?!\\s+(?:not|and|or)\\b)${NO_PAST_TIME}`,
    ([, who = '']) => `${who} does`,
  ),
  rule(
    'agreement',
    `${CLAUSE_OF_ONE}(he|she)\\s+(${ACTIONS})\\b(?!\\s+(?:and|or|not|only|never|but)\\b)`,
    ([, who = '', verb = '']) => `${who} ${verb}s`,
    { isAudible: false },
  ),
  rule(
    'agreement',
    `${CLAUSE_OF_ONE}((?:my|our)\\s+(?:boss|manager|brother|sister|husband|wife|son|daughter|friend|colleague))\\s+(need|want|get|live|work)\\b(?!\\s+(?:and|or|not)\\b)${NO_PAST_TIME}`,
    ([, who = '', verb = '']) => `${who} ${verb}s`,
    { isAudible: false },
  ),
  rule('agreement', `${SUBJECT_WE}\\s+has\\b${NO_PAST_TIME}${OPTIONAL_WORD}`, replacing(/\bhas\b/i, 'have')),
  rule(
    'agreement',
    `${SUBJECT_WE}\\s+(?:doesn't|doesn’t|does not|doesnt)\\b${NO_PAST_TIME}${OPTIONAL_WORD}`,
    replacing(/doesn't|doesn’t|does not|doesnt/i, "don't"),
  ),
  rule('agreement', `(?:${CLAUSE}(?:we|they)|${CLAUSE_OF_YOU}you)\\s+(?:is|was)\\b${OPTIONAL_WORD}`, ([all = '']) =>
    all.replace(/\bis\b/i, 'are').replace(/\bwas\b/i, 'were'),
  ),
  rule(
    'agreement',
    `${CLAUSE}there\\s+(?:is|was)\\s+(?:(?:many|several)\\s+(?:${COUNTED})|(?:${MANY})\\s+(?:${COUNTED_ONE_BY_ONE}))\\b(?!['’])`,
    ([all = '']) => all.replace(/\bis\b/i, 'are').replace(/\bwas\b/i, 'were'),
  ),
  rule(
    'agree',
    String.raw`\b(I|you|we|they)(?:\s+(?:am|are)|['’]m|['’]re)\s+agree\b`,
    ([, who = '']) => `${who} agree`,
  ),
  rule(
    'agree',
    String.raw`\b(I|you|we|they)(?:\s+(?:am|are)|['’]m|['’]re)\s+not\s+agree\b`,
    ([, who = '']) => `${who} don't agree`,
  ),
  rule(
    'base_form',
    `${NO_RELATIVE}\\b(didn't|didn’t|did not|didnt)\\s+(${anyOf(BASE_OF)})\\b`,
    ([, did = '', verb]) => `${did} ${lookUp(BASE_OF, verb)}`,
  ),
  // In recognised speech, "I didn't said Jimmie" has lost a full stop and a quotation mark.
  rule(
    'base_form',
    String.raw`\b(didn't|didn’t|did not|didnt)\s+said\b(?=\s*(?:$|[.!?,;])|\s+(?:anything|that|it|so|this|what|nothing)\b)`,
    ([, did = '']) => `${did} say`,
  ),
  rule(
    'base_form',
    `${NO_RELATIVE}\\b(didn't|didn’t|did not|didnt)\\s+(${anyOf(BASE_OF_REGULAR)})\\b`,
    ([, did = '', verb]) => `${did} ${lookUp(BASE_OF_REGULAR, verb)}`,
    { isAudible: false },
  ),
  rule('base_form', `${QUESTION}did\\s+(you|he|she|we|they|it)\\s+(${anyOf(BASE_OF)})\\b`, ([all = '', , verb = '']) =>
    all.replace(new RegExp(`${verb}$`), lookUp(BASE_OF, verb)),
  ),
  rule(
    'participle',
    `${NO_OWNED_THING}\\b(I|you|we|they|he|she)(\\s+have|\\s+has|['’]ve)\\s+(?:(already|just|never|also)\\s+)?(${anyOf(PARTICIPLE_OF)})\\b${NO_PAST_TIME}`,
    ([all = '', , , , verb = '']) => all.replace(new RegExp(`${verb}$`), lookUp(PARTICIPLE_OF, verb)),
  ),
  rule(
    'since_for',
    `\\bsince\\s+(?!one\\s+day\\s+(?:I|we|he|she|they|you)\\b)(${DURATION})\\b(?!['’]|\\s+(?:off|went|got|remain(?:s|ed)?|ago|before|after|later|earlier|of|is|are|was|were|has|have|had|would|will|can|could|may|might|must|should|do|don|does|doesn|did|isn|aren|wasn|weren|passed|seems?|seemed|sounds?|feels?|felt)\\b)`,
    ([, duration = '']) => `for ${duration}`,
  ),
  rule(
    'comparative',
    `(?<!\\bthere\\s+(?:are|were)\\s+)\\bmore\\s+(${COMPARED})\\b(?=\\s*(?:$|[.!?,;:…])|\\s+(?:than|for|if|and|but|because|like|to|now|with|when|in|here|too|please)\\b)`,
    ([, word = '']) => word,
  ),
  // "A more better price" and "it is more easier", but not "there are more cheaper rooms".
  rule('comparative', `\\ba\\s+more\\s+(${COMPARED})\\b`, ([, word = '']) => `${articleFor(word)} ${word}`),
  rule(
    'comparative',
    `\\b(?<!\\b(?:some|any)\\s+)((?:it|this|that|he|she)(?:['’]s|\\s+is|\\s+was))\\s+(?:much\\s+)?more\\s+(${COMPARED})\\b(?=\\s+(?:that|we|I|you|then|today|tomorrow|this)\\b)`,
    ([, subject = '', word = '']) => `${subject} ${word}`,
  ),
  rule(
    'comparative',
    String.raw`\bmost\s+(best|worst|biggest|cheapest|fastest|easiest|highest|lowest)\b(?!-|\s+friends\b)`,
    ([, word = '']) => word,
  ),
  rule(
    'uncountable',
    String.raw`(?<!\b(?:remittance|payment|shipping|debit|credit)\s+)\b(information|advice|furniture|equipment|feedback|homework|luggage|baggage)s\b`,
    ([, word = '']) => word,
  ),
  rule('uncountable', `\\ban?\\s+(${MASS})\\b${AFTER_NOUN}`, ([, word = '']) => `some ${word}`),
  rule('uncountable', `\\ban?\\s+(good|bad|great)\\s+news\\b${AFTER_NOUN}`, ([, kind = '']) => `${kind} news`),
  rule(
    'no_to',
    `${CLAUSE}(I|you|we|they|he|she|it)\\s+(can|could|must|should|may|might)\\s+to\\s+(?!${DETERMINER}\\b|${REMARK})([a-z]+)\\b`,
    ([, who = '', modal = '', verb = '']) => `${who} ${modal} ${verb}`,
  ),
  rule(
    'no_to',
    `\\b(can't|can’t|cannot|mustn't|shouldn't|couldn't|couldn’t)\\s+to\\s+(?!${DETERMINER}\\b|${REMARK})([a-z]+)\\b`,
    ([, modal = '', verb = '']) => `${modal} ${verb}`,
  ),
  rule(
    'with_to',
    `${CLAUSE_OR_QUESTION}(I|we|you|they)(\\s+want|\\s+would like|['’]d like)\\s+(go|send|know|understand|learn|improve|ask|speak|make|buy|see|have|come|tell|say|meet|get|take|cancel)\\b(?!-|\\s+to\\b)`,
    ([, who = '', want = '', verb = '']) => `${who}${want} to ${verb}`,
  ),
  rule(
    'with_to',
    `${CLAUSE_OR_QUESTION}(I|we)\\s+need\\s+(send|ask|speak|make|buy|see|meet|get|take|cancel)\\b(?!-|\\s+(?:no|nobody|nothing|neither)\\b)`,
    ([, who = '', verb = '']) => `${who} need to ${verb}`,
  ),
  rule(
    'past',
    `${CLAUSE_OF_YESTERDAY}yesterday,?\\s+(I|we|he|she|they)\\s+(${anyOf(PAST_OF)})\\b(?!,)`,
    ([, who = '', verb]) => `yesterday ${who} ${lookUp(PAST_OF, verb)}`,
  ),
  rule(
    'past',
    `${CLAUSE_OF_YESTERDAY}yesterday,?\\s+(I|we|he|she|they)\\s+(${anyOf(PAST_OF_REGULAR)})\\b`,
    ([, who = '', verb]) => `yesterday ${who} ${lookUp(PAST_OF_REGULAR, verb)}`,
    { isAudible: false },
  ),
  rule(
    'past',
    `${CLAUSE}(I|we)\\s+(go|come)\\s+((?:to|there|home|here|back)(?:\\s+(?!(?:like|as|from|than)\\b)[a-z]+){0,3}\\s+yesterday)\\b`,
    ([, who = '', verb, rest = '']) => `${who} ${lookUp(PAST_OF, verb)} ${rest}`,
  ),
  rule(
    'many',
    `\\b(too|so)\\s+much\\s+(${COUNTED})\\b(?!['’]|\\s+(?:can|could|want|wanted|need|needed|don['’]t|didn['’]t)\\b)|\\b(how)\\s+much\\s+(${COUNTED})\\b${AFTER_COUNTED}`,
    ([, too, counted, how = '', asked = '']) => `${too ?? how} many ${counted ?? asked}`,
  ),
  rule(
    'tell',
    String.raw`\b(can you|could you|please|will you)\s+say\s+(me|us)\b`,
    ([, ask = '', whom = '']) => `${ask} tell ${whom}`,
  ),
  rule(
    'tell',
    String.raw`(?<=\b(?:will|can|could|must|should|please)\s+|['’]ll\s+)tell\s+to\s+((?:the|my|our|your)\s+(?:boss|manager|team|client|customer|colleagues?)|him|her|them|you)\b`,
    ([, whom = '']) => `tell ${whom}`,
  ),
  rule('tell', String.raw`\bsaid\s+(me|us)\s+(that|the|to)\b`, ([, whom = '', rest = '']) => `told ${whom} ${rest}`),
  rule(
    'ing',
    String.raw`\b(look(?:ing)?\s+forward\s+to)\s+(hear|see|meet|speak)\b`,
    ([, lead = '', verb = '']) => `${lead} ${verb}ing`,
    { isAudible: false },
  ),
  rule(
    'ing',
    String.raw`\b((?:thank\s+you|thanks)\s+for)\s+(help|call|tell|invite|explain|show|wait)(?=\s+(?:me|us|for)\b)`,
    ([, lead = '', verb = '']) => `${lead} ${verb.replace(/e$/, '')}ing`,
    { isAudible: false },
  ),
  rule(
    'plural',
    `(?<!\\b(?:at|chapter|page|level|room|phase|section|exercise|part|table)\\s+)\\b(${MANY})\\s+(day|week|month|year|hour|minute|night|box|chair|question|problem)\\b(?=\\s*(?:$|[.!?,;])|\\s+(?:ago|later|and|before|because)\\b)`,
    ([, count = '', noun = '']) => `${count} ${noun === 'box' ? 'boxes' : `${noun}s`}`,
    { isAudible: false },
  ),
  rule(
    'age',
    `\\b(I|you|we|they|he|she)(?:\\s+(?:have|has)|['’]ve)\\s+(${NUMBER})\\s+years\\s+old\\b(?=\\s*(?:$|[.!?,;:…])|\\s+(?:and|but|now|so|because)\\b)`,
    ([, who = '', count = '']) => `${who} ${beOf(who)} ${count} years old`,
  ),
  rule(
    'with_to',
    `${CLAUSE_OR_QUESTION}(I|we|you|they|he|she)(\\s+wants?|\\s+would like|['’]d like)\\s+that\\s+(I|you|he|she|they|we)\\s+(${WANTED})s?\\b`,
    ([, who = '', want = '', other = '', verb = '']) => `${who}${want} ${objectOf(other)} to ${verb}`,
  ),
  rule(
    'many',
    `\\bhow\\s+many\\s+(money|information|luggage|baggage|furniture|advice|traffic)\\b${AFTER_COUNTED}`,
    ([, noun = '']) => `how much ${noun}`,
  ),
  rule(
    'many',
    String.raw`\bhow\s+many\s+time(?=\s+(?:do|does|did|will|would)\s+(?:you|it|we|they|I|he|she|this)\s+(?:need|have|want|take)(?:\s*(?:$|[.!?,;])|\s+(?:for|to|left)\b))`,
    () => 'how much time',
  ),
];
