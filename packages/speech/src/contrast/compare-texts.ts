/** Decides which of two similar texts was said, such as the words of a minimal pair. */
import type { AnalysedSpeech } from '../acoustic/analyse-speech.ts';
import { alignWords, phoneSequencesOf } from '../align/align.ts';
import { sequenceLogLikelihood } from '../align/exchanges.ts';
import type { ExpectedWord, Pronunciation } from '../pronounce/pronounce.ts';
import type { ContrastModel } from './contrast-model.ts';
import { contrastEvidence, findRivals } from './find-rivals.ts';

/** The weight of a log-likelihood ratio between texts that differ in more than confusable phones. */
const SEQUENCE_WEIGHT = 0.5;

/** The log-odds that the other text was said; null when one of them cannot be pronounced or the audio is too short. */
export function compareTexts(
  speech: AnalysedSpeech,
  { text, other }: { text: readonly ExpectedWord[]; other: readonly ExpectedWord[] },
  model: ContrastModel,
): number | null {
  const [closest] = pronunciationsOf(text)
    .flatMap((ours) => pronunciationsOf(other).map((theirs) => ({ ours, theirs, distance: distance(ours, theirs) })))
    .toSorted((a, b) => a.distance - b.distance);
  if (closest === undefined) return null;
  const { ours, theirs } = closest;
  const toward = exchangeLogOdds(speech, { said: ours, instead: theirs }, model);
  const back = exchangeLogOdds(speech, { said: theirs, instead: ours }, model);
  // Each text is also aligned on its own, because phone boundaries shift slightly when the wrong text is expected.
  if (toward !== null && back !== null) return (toward - back) / 2;
  const logLikelihood = ({ outputs }: Pronunciation): number =>
    phoneSequencesOf(speech.acousticOutput).reduce((sum, order) => sum + sequenceLogLikelihood(order, outputs), 0) /
    speech.acousticOutput.networks.length;
  const ratio = logLikelihood(theirs) - logLikelihood(ours);
  return Number.isFinite(ratio) ? SEQUENCE_WEIGHT * ratio : null;
}

/** All ways to say a text: the usual pronunciation of every word, then the variants of one word at a time. */
function pronunciationsOf(words: readonly ExpectedWord[]): Pronunciation[] {
  const usual = words.map(({ pronunciations }) => pronunciations[0]);
  if (usual.length === 0 || usual.some((pronunciation) => pronunciation === undefined)) return [];
  const joined = (parts: readonly (Pronunciation | undefined)[]): Pronunciation => ({
    phones: parts.flatMap((part) => part?.phones ?? []),
    outputs: parts.flatMap((part) => part?.outputs ?? []),
  });
  const variants = words.flatMap(({ pronunciations }, index) =>
    pronunciations.slice(1).map((variant) => joined(usual.map((each, at) => (at === index ? variant : each)))),
  );
  return [joined(usual), ...variants];
}

const distance = (a: Pronunciation, b: Pronunciation): number =>
  a.outputs.length === b.outputs.length
    ? a.outputs.filter((output, at) => output !== b.outputs[at]).length
    : a.outputs.length + b.outputs.length;

/** Null when the two differ in more than phones that the model can compare. */
function exchangeLogOdds(
  speech: AnalysedSpeech,
  { said, instead }: { said: Pronunciation; instead: Pronunciation },
  model: ContrastModel,
): number | null {
  if (said.outputs.length !== instead.outputs.length) return null;
  const alignment = alignWords(speech.acousticOutput, [{ word: '', pronunciations: [said], pauseAfter: 'none' }]);
  const phones = alignment?.words[0]?.phones;
  if (phones === undefined) return null;
  const rivals = findRivals(phones, contrastEvidence(speech, phones), model);
  let sum = 0;
  for (const [at, output] of instead.outputs.entries()) {
    if (output === said.outputs[at]) continue;
    const rival = rivals[at]?.find((each) => each.output === output);
    if (rival === undefined) return null;
    sum += rival.logOdds;
  }
  return sum;
}
