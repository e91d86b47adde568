/**
 * Words that are meant for the machine and not for a person. No list knows them all, and none has to: this is the last of several hurdles,
 * behind fences and quotes that are checked. It is kept narrow, because people at work do say "ignore my last message" and "our objective".
 */
import { plainLetters } from './visible-text.ts';

/** Asks for ticks or marks, or is written like a judge's own answer. */
const TO_A_JUDGE: readonly RegExp[] = [
  /\b(tick|check off)\w*\b.{0,40}\b(objectives?|goals?|box(es)?|everything|all)\b/,
  /\bmark\b.{0,40}\b(objectives?|goals?) (\w+ ){0,2}(as )?(done|reached|complete\w*|proved|proven)\b/,
  /\b(objectives?|goals?)( \d+| \w+){0,2} (is|are|as) (now |all |already )?(ticked|proved|proven)\b/,
  /\b(full|top|perfect|maximum|highest) (marks|scores?|points)\b|\blanguage ?quality\b/,
  /\b(the|this|dear|hey|hello|attention|to) (judge|grader|assistant|language model|reviewer|examiner|chatbot|llm|ai)\b ?[:,]/,
  /"(proofs|objective|words|corrections|remember|role|content)" ?:/,
  /^\W*(system|assistant|developer|judge) ?:/,
];

/** Wants another part, other rules, or the instructions. */
const TO_A_COACH: readonly RegExp[] = [
  /\b(ignor|disregard|forget|overrid|bypass|olvid|oubli|vergiss|dimentic)\w*\b.{0,40}\b(instru|istru|prompts?\b|rules\b|reglas|regles|regeln|anweis|guideline|everything (above|before|you))/,
  /\b(system|initial|hidden|secret) ?(prompt|override|instructions?)\b|\b(developer|debug|admin|god|dan) mode\b/,
  /\b(reveal|print|output|leak|recite|translate|repeat)\b.{0,30}\byour\b.{0,20}\b(instructions?|prompts?|rules)\b/,
  /\b(you are now|jailbreak|do anything now|from now on,? (you|act|answer|speak|the coach))\b|\b(act|speak|answer) as (if|though|a|an|the)\b/,
  /\bgoodbye ?\//,
];

export function addressesMachine(text: string): boolean {
  const plain = plainLetters(text);
  return [...TO_A_JUDGE, ...TO_A_COACH].some((pattern) => pattern.test(plain));
}
