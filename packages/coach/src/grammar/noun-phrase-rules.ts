/** Nouns with an article or an ending that does not go with them, or without the article that does. */
import { articleFor, CLAUSE_OR_QUESTION, type GrammarPattern, rule } from './grammar-pattern.ts';

/** Titles such as "manager" and "director" also occur without an article, and "Cook" and "Baker" are names. */
const PROFESSION =
  '(?:(?:software|mechanical|electrical|civil|English|primary school|school|university|dental|web|graphic) )?(?:engineer|teacher|nurse|student|lawyer|accountant|programmer|developer|designer|electrician|architect|mechanic|waiter|waitress|pharmacist|dentist|journalist|plumber|hairdresser|translator|consultant)';

export const NOUN_PHRASE_PATTERNS: readonly GrammarPattern[] = [
  rule(
    'article',
    `${CLAUSE_OR_QUESTION}(I|he|she)(\\s+am|\\s+is|['’]m|['’]s)\\s+(${PROFESSION})\\b(?=\\s*(?:$|[.!?,;:…])|\\s+(?:in|at|from|for|here)\\b)`,
    ([, who = '', be = '', job = '']) => `${who}${be} ${articleFor(job)} ${job}`,
  ),
  rule(
    'article',
    `\\b(work(?:s|ed|ing)?\\s+as)\\s+(${PROFESSION})\\b(?=\\s*(?:$|[.!?,;:…])|\\s+(?:in|at|from|for|here|since)\\b)`,
    ([, work = '', job = '']) => `${work} ${articleFor(job)} ${job}`,
  ),
  rule(
    'article',
    `${CLAUSE_OR_QUESTION}(I|we)\\s+have\\s+(question|problem|meeting|reservation|appointment|headache|idea|suggestion)\\b(?=\\s*(?:$|[.!?,;:…])|\\s+(?:about|with|for|at|tomorrow|today)\\b)`,
    ([, who = '', thing = '']) => `${who} have ${articleFor(thing)} ${thing}`,
    { isAudible: false },
  ),
  rule(
    'article',
    String.raw`\bin\s+(morning|afternoon|evening)\b(?=\s*(?:$|[.!?,;:…]))`,
    ([, time = '']) => `in the ${time}`,
    { isAudible: false },
  ),
  rule(
    'article',
    String.raw`\b(go|goes|going|went|come|came)\s+to\s+(bank|airport|station|doctor|supermarket|hotel)\b(?=\s*(?:$|[.!?,;:…])|\s+(?:tomorrow|today|yesterday|on|at|because|and|in)\b)`,
    ([, verb = '', place = '']) => `${verb} to the ${place}`,
    { isAudible: false },
  ),
  // "So much works well here" is correct.
  rule(
    'uncountable',
    String.raw`\b(too|so)\s+much\s+works\b(?=\s*(?:$|[.!?,;:…])|\s+(?:to do|today|this|now)\b)`,
    ([, too = '']) => `${too} much work`,
  ),
  rule(
    'uncountable',
    String.raw`\b(look(?:s|ed|ing)?\s+for|found)\s+a\s+work\b(?!\s+in\s+progress\b)(?=\s*(?:$|[.!?,;:…])|\s+(?:in|at|as|because|here|now)\b)`,
    ([, verb = '']) => `${verb} work`,
  ),
];
