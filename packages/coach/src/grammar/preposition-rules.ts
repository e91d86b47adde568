/** Verbs and adjectives with a preposition that does not go with them, or without the one that does. */
import { type GrammarPattern, MANY, rule } from './grammar-pattern.ts';

export const PREPOSITION_PATTERNS: readonly GrammarPattern[] = [
  rule(
    'preposition',
    String.raw`\b(depend(?:s|ed|ing)?)\s+(?:of|from)\b(?!\s+course\b|\s+(?:[a-z]+\s+){1,2}to\b)`,
    ([, verb = '']) => `${verb} on`,
  ),
  rule(
    'preposition',
    `\\b(discuss|discussed|discussing)\\s+about\\b(?!\\s+(?:an? (?:dozen|hundred|hour|week|month|year|third|quarter|couple|few)|${MANY}|twenty|thirty|forty|fifty|half|\\d+)\\b)`,
    ([, verb = '']) => verb,
  ),
  // "That was responsible of you" is correct: it praises a person.
  rule(
    'preposition',
    String.raw`\bresponsible\s+of\b(?!\s+(?:me|you|him|her|us|them|course|late|all)\b)`,
    () => 'responsible for',
  ),
  rule(
    'preposition',
    String.raw`\b((?:explain|describe)(?:s|ed|ing|d)?)\s+(me|us|you)(?=\s+(?:the|what|why|how|where|when|this|your|our|my|more)\b)`,
    ([, verb = '', whom = '']) => `${verb} to ${whom}`,
  ),
  rule(
    'preposition',
    String.raw`\bfor\s+to\s+(send|make|buy|ask|speak|talk|see|help|get|pay|check)\b`,
    ([, verb = '']) => `to ${verb}`,
  ),
  // "I explained them the way you do" is correct, and so is "explain her behaviour".
  rule(
    'preposition',
    String.raw`\b((?:explain|describe)(?:s|ed|ing|d)?)\s+(him|her|them)(?=\s+(?:what|why|how|where|the\s+(?:situation|problem|reason|rules|plan|process|details))\b)`,
    ([, verb = '', whom = '']) => `${verb} to ${whom}`,
  ),
  rule(
    'preposition',
    String.raw`\b(suggest(?:ed)?)\s+(?:you|me|us)\s+(an?)\b`,
    ([, verb = '', article = '']) => `${verb} ${article}`,
  ),
  rule('preposition', String.raw`\bpropose\s+(you|him|her|them)(?=\s+an?\b)`, ([, whom = '']) => `offer ${whom}`),
  rule(
    'preposition',
    String.raw`\binterested\s+(?:on|about)(?=\s+(?:this|the|your|a|learning|working)\b)`,
    () => 'interested in',
  ),
  rule(
    'preposition',
    String.raw`\b(arriv(?:e|es|ed|ing))\s+to\s+(the|my|our|your)\s+(hotel|airport|station|office|meeting|party|bank)\b`,
    ([, verb = '', article = '', place = '']) => `${verb} at ${article} ${place}`,
  ),
  rule(
    'preposition',
    String.raw`(?<=\b(?:to|can|could)\s+)listen\s+(music|podcasts)\b`,
    ([, what = '']) => `listen to ${what}`,
  ),
  rule(
    'preposition',
    String.raw`(?<=\b(?:I|we|they)(?:['’]ll|\s+(?:can|could|will))\s+)wait\s+(you|him|her|them)\b(?=\s*(?:$|[.!?,;:…])|\s+(?:at|in|here|outside|there|until)\b)`,
    ([, whom = '']) => `wait for ${whom}`,
  ),
  rule(
    'preposition',
    String.raw`(?<=(?:['’]ll|\b(?:can|could|will|must))\s+)call\s+to\s+(you|him|her|them|me|us)\b(?=\s*(?:$|[.!?,;:…])|\s+(?:tomorrow|today|later|on|at|again|back|in|when)\b)`,
    ([, whom = '']) => `call ${whom}`,
  ),
  rule(
    'preposition',
    String.raw`(?<=\b(?:come|meet|start|begin|arrive|free|available|finish|do it|you|there|here|open|closed|call|party|meeting|appointment)\s+)(?:in|at)\s+((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?=\s*(?:$|[.!?,;:…])|\s+(?:morning|afternoon|evening|at)\b)`,
    ([, day = '']) => `on ${day.charAt(0).toUpperCase()}${day.slice(1)}`,
  ),
  // "We agreed on next Monday" and "the call is on next Monday's agenda" are correct.
  rule(
    'preposition',
    String.raw`(?<!\b(?:agree[ds]?|agreeing|decide[ds]?|settle[ds]?|vote[ds]?|focus(?:ed)?|set|based|depends?|insist(?:ed)?|plan(?:ned)?|count)\s+)\bon\s+next\s+((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!['’])`,
    ([, day = '']) => `next ${day.charAt(0).toUpperCase()}${day.slice(1)}`,
  ),
];
