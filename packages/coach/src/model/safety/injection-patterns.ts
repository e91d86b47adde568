/**
 * Detects text addressed to the model rather than to a person. The list is not complete and need not be: it is the last of several
 * defences, after delimiting and verified quotes. It is narrow because people at work do say "ignore my last message" and "our objective".
 */
import { foldForMatching } from './normalise-text.ts';

/** Asks for objectives or marks, or imitates the judge's output. */
const JUDGE_PATTERNS: readonly RegExp[] = [
  /\b(tick|check off)\w*\b.{0,40}\b(objectives?|goals?|box(es)?|everything|all)\b/,
  /\bmark\b.{0,40}\b(objectives?|goals?) (\w+ ){0,2}(as )?(done|reached|complete\w*|proved|proven)\b/,
  /\b(objectives?|goals?)( \d+| \w+){0,2} (is|are|as) (now |all |already )?(ticked|proved|proven)\b/,
  /\b(full|top|perfect|maximum|highest) (marks|scores?|points)\b|\blanguage ?quality\b/,
  /\b(the|this|dear|hey|hello|attention|to) (judge|grader|assistant|language model|reviewer|examiner|chatbot|llm|ai)\b ?[:,]/,
  /"(proofs|objective|words|corrections|remember|role|content)" ?:/,
  /^\W*(system|assistant|developer|judge) ?:/,
];

/** Asks for another role, other rules, or the prompt. */
const COACH_PATTERNS: readonly RegExp[] = [
  /\b(ignor|disregard|forget|overrid|bypass|olvid|oubli|vergiss|dimentic)\w*\b.{0,40}\b(instru|istru|prompts?\b|rules\b|reglas|regles|regeln|anweis|guideline|everything (above|before|you))/,
  /\b(system|initial|hidden|secret) ?(prompt|override|instructions?)\b|\b(developer|debug|admin|god|dan) mode\b/,
  /\b(reveal|print|output|leak|recite|translate|repeat)\b.{0,30}\byour\b.{0,20}\b(instructions?|prompts?|rules)\b/,
  /\b(you are now|jailbreak|do anything now|from now on,? (you|act|answer|speak|the coach))\b|\b(act|speak|answer) as (if|though|a|an|the)\b/,
  /\bgoodbye ?\//,
];

export function addressesModel(text: string): boolean {
  const plain = foldForMatching(text);
  return [...JUDGE_PATTERNS, ...COACH_PATTERNS].some((pattern) => pattern.test(plain));
}
