/** Which lines about a learner are kept for the next conversation: plain facts, and never words that would steer a coach. */
import { comparableWords, isFunctionWord } from '../words.ts';
import { leaksInstructions } from './leak-watch.ts';
import { addressesMachine } from './orders.ts';
import { holdsPrivateData } from './private-data.ts';
import { plainSentence, visibleText } from './visible-text.ts';

const MIN_CHARS = 16;
const MAX_CHARS = 200;
const MAX_LINES = 5;
/** Of the content words of the shorter line. */
const SAME_FROM = 0.8;

/** Says who it is about; an order would say what to do. */
const OPENING = /^the learner(['’]s)? /i;
/** A fact asks for nothing: not what anybody must do, nor what this learner is owed. */
const DEMANDS =
  /\b(must|should|shall|(has|have|needs?|is|are|wants?|asks?|likes?|prefers?) to (be|get|hear|receive|pass)|never be|always be|make sure|please|you|your|allowed|entitled|permission|authori[sz]ed|privileges?|administrator|(the|their|every|any) coach|treat(ed)?|skip|unlock|prompts?|instructions?|objectives?)\b/i;

/** Facts as they may be stored, and as they may be shown to a model. */
export function isPlainFact(line: string): boolean {
  const text = visibleText(line);
  return (
    text.length >= MIN_CHARS &&
    text.length <= MAX_CHARS &&
    OPENING.test(text) &&
    // A line in another script could be read by a model, but by none of the rules here.
    !/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text) &&
    !/[<>{}[\]|`\\]/.test(text) &&
    !DEMANDS.test(text) &&
    !addressesMachine(text) &&
    !holdsPrivateData(text) &&
    !leaksInstructions(text)
  );
}

/** What is new among the lines that a model proposes, at most five. */
export function worthRemembering(proposed: readonly string[], remembered: readonly string[]): string[] {
  const known = [...remembered];
  const fresh: string[] = [];
  for (const line of proposed.map(plainSentence)) {
    if (fresh.length === MAX_LINES) break;
    if (!isPlainFact(line) || known.some((other) => isSameFact(line, other))) continue;
    known.push(line);
    fresh.push(line);
  }
  return fresh;
}

function isSameFact(one: string, other: string): boolean {
  const content = (line: string): Set<string> =>
    new Set(comparableWords(line).filter((word) => !isFunctionWord(word) && word !== 'learner'));
  const [left, right] = [content(one), content(other)];
  const smaller = Math.min(left.size, right.size);
  const shared = [...left].filter((word) => right.has(word)).length;
  return smaller > 0 && shared / smaller >= SAME_FROM;
}
