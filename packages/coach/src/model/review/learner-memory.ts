/** Decides which facts about a learner are remembered: plain facts only, never text that could steer a coach. */
import { comparableWords, isFunctionWord } from '../../text/comparable-words.ts';
import { leaksPrompt } from '../safety/prompt-leak-detector.ts';
import { addressesModel } from '../safety/injection-patterns.ts';
import { containsPrivateData } from '../safety/private-data.ts';
import { stripMarkdown, visibleText } from '../safety/normalise-text.ts';

const MIN_CHARS = 16;
const MAX_CHARS = 200;
const MAX_LINES = 5;
/** The share of the shorter line's content words. */
const SAME_FACT_SIMILARITY = 0.8;

/** A fact begins with its subject; an instruction would not. */
const FACT_OPENING = /^the learner(['’]s)? /i;
/** A fact makes no demands, neither on the coach nor on behalf of the learner. */
const DEMAND_PATTERN =
  /\b(must|should|shall|(has|have|needs?|is|are|wants?|asks?|likes?|prefers?) to (be|get|hear|receive|pass)|never be|always be|make sure|please|you|your|allowed|entitled|permission|authori[sz]ed|privileges?|administrator|(the|their|every|any) coach|treat(ed)?|skip|unlock|prompts?|instructions?|objectives?)\b/i;

/** Both stored facts and facts shown to a model must pass. */
export function isPlainFact(line: string): boolean {
  const text = visibleText(line);
  return (
    text.length >= MIN_CHARS &&
    text.length <= MAX_CHARS &&
    FACT_OPENING.test(text) &&
    // A model could read other scripts, but the rules here could not.
    !/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text) &&
    !/[<>{}[\]|`\\]/.test(text) &&
    !DEMAND_PATTERN.test(text) &&
    !addressesModel(text) &&
    !containsPrivateData(text) &&
    !leaksPrompt(text)
  );
}

/** Returns the new facts among a model's proposals, at most five. */
export function selectNewFacts(proposed: readonly string[], remembered: readonly string[]): string[] {
  const known = [...remembered];
  const accepted: string[] = [];
  for (const line of proposed.map(stripMarkdown)) {
    if (accepted.length === MAX_LINES) break;
    if (!isPlainFact(line) || known.some((other) => isSameFact(line, other))) continue;
    known.push(line);
    accepted.push(line);
  }
  return accepted;
}

function isSameFact(one: string, other: string): boolean {
  const content = (line: string): Set<string> =>
    new Set(comparableWords(line).filter((word) => !isFunctionWord(word) && word !== 'learner'));
  const [left, right] = [content(one), content(other)];
  const smaller = Math.min(left.size, right.size);
  const shared = [...left].filter((word) => right.has(word)).length;
  return smaller > 0 && shared / smaller >= SAME_FACT_SIMILARITY;
}
