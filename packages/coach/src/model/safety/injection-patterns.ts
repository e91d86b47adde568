/**
 * Detects text addressed to the model rather than to a person. The list is not complete and need not be: it is the last of several
 * defences, after delimiting and verified quotes. It is narrow because people at work do say "ignore my last message" and "our objective".
 */
import { foldForMatching } from './normalise-text.ts';

/** Asks for objectives or marks, or imitates the judge's output. */
const JUDGE_PATTERNS: readonly RegExp[] = [
  /\b(tick(s|ed|ing)?|check(s|ed|ing)? off)\b.{0,40}\b(objectives?|goals?|boxes|every box|everything|all)\b/,
  /\bmark\b.{0,40}\b(objectives?|goals?) (\w+ ){0,2}(as )?(done|reached|complete\w*|proved|proven)\b/,
  /\b(objectives?|goals?)( \d+| \w+){0,2} (is|are|as) (now |all |already )?(ticked|proved|proven)\b/,
  // Without such a word, “the highest scores” may be those of a survey.
  /\b(give|grant|award|want|need|deserves?|me|myself|answer|assign|set)\b.{0,30}\b(full|top|perfect|maximum|highest) (marks|scores?|points)\b/,
  /\blanguage ?quality\b/,
  /\b(the|this|dear|hey|hello|attention|to) (judge|grader|assistant|language model|reviewer|examiner|chatbot|llm|ai)\b ?[:,]/,
  /"(proofs|objective|words|corrections|remember|role|content)" ?:/,
  /^\W*(system|assistant|developer|judge) ?:/,
];

/** Asks for another role, other rules, or the prompt. */
const COACH_PATTERNS: readonly RegExp[] = [
  /\b(ignor|disregard|forget|overrid|bypass|olvid|oubli|vergiss|dimentic)\w*\b.{0,40}\b(instru|istru|prompts?\b|rules\b|reglas|regles|regeln|anweis|guideline|everything (above|before|you))/,
  /\b(system|initial|hidden|secret) ?(prompt|override|instructions?)\b|\b(developer|debug|admin|god|dan) mode\b/,
  /\b(reveal|print|output|leak|recite|translate|repeat)\b.{0,30}\byour\b.{0,20}\bprompts?\b/,
  /\b(reveal|print|output|leak|recite)\b.{0,30}\byour\b.{0,20}\b(instructions?|rules)\b/,
  // A colleague may be asked to repeat instructions, but not word for word.
  /\b(translate|repeat)\b.{0,30}\byour\b.{0,20}\b(instructions?|rules)\b.{0,20}\b(word for word|verbatim|exactly|in full|above)\b/,
  /\byou are now (an? |the )?(\w+ )?(ai|bot|chatbot|model|assistant|system|terminal|judge|pirate|dan|developer|admin|unrestricted|free (of|from))\b/,
  /\byou are now\b.{0,40}\b(rules?|restrictions?|limits?|filters?|mode|character|role)\b/,
  /\b(jailbreak|do anything now)\b/,
  /\bfrom now on,? (you (are|must|should|have to|will obey|obey|only|act|answer|speak)|act|answer|speak|the coach)\b/,
  // As an order: “I act as a manager” says what the learner does, and “can you act as the customer” is a wish.
  /(^|[.!?;:,] ?|\b(please|you must|you should|you have to|you to|now|and|then) )(act|speak|answer) as (if|though|an?|the|my)\b/,
  /\bgoodbye ?\//,
];

export function addressesModel(text: string): boolean {
  const plain = foldForMatching(text);
  return [...JUDGE_PATTERNS, ...COACH_PATTERNS].some((pattern) => pattern.test(plain));
}
