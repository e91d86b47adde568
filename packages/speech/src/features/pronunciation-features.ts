/**
 * Computes the scorer's input features from one network's output: goodness of pronunciation, durations and pauses, per phone, word and
 * utterance.
 */
import { type NetworkOutput, type Posteriors, SENTENCE_ASPECTS } from '../acoustic/acoustic-model.ts';
import type { AlignedPhone, Alignment } from '../align/align.ts';
import { BLANK, isVowel, PHONES } from '../pronounce/phones.ts';
import { type LogMel, MEL_BANDS } from '../signal/log-mel.ts';
import { deviation, mean, quantile } from './statistics.ts';

/** The number of measures per phone, before those of its neighbours are added. */
const MEASURE_COUNT = 22;
/** How many of these are also added from each neighbour. */
const SHARED_MEASURE_COUNT = 8;
/** A CTC peak may be slightly outside the frames in which the phone sounds. */
const PEAK_REACH_FRAMES = 2;
const LONG_PAUSE_FRAMES = 15;

export interface PronunciationFeatures {
  /** One row per phone, in order. */
  phones: number[][];
  /** One row per aligned word. */
  words: number[][];
  utterance: number[];
}

/** Goodness of pronunciation after Witt and Young (2000), from the frame-wise output and from CTC posteriors without the blank. */
export function pronunciationFeatures(
  network: NetworkOutput,
  alignment: Alignment,
  mel: LogMel,
): PronunciationFeatures {
  const own = phoneMeasures(network, alignment, mel);
  const means = columnMeans(own);
  const places = phoneContexts(alignment, network.sounds);
  const phones = own.map((row, index) => {
    const before = own[Math.max(0, index - 1)] ?? row;
    const after = own[Math.min(own.length - 1, index + 1)] ?? row;
    return [
      ...row,
      ...before.slice(0, SHARED_MEASURE_COUNT),
      ...after.slice(0, SHARED_MEASURE_COUNT),
      ...means,
      ...(places[index] ?? []),
    ];
  });
  const flat = alignment.words.flatMap((word) => word.phones);

  const minima = columnMinima(own);
  const words: number[][] = [];
  let at = 0;
  for (const word of alignment.words) {
    const rows = own.slice(at, at + word.phones.length);
    const first = word.phones[0];
    const last = word.phones.at(-1);
    const previous = flat[at - 1];
    at += word.phones.length;
    words.push([
      ...columnMeans(rows),
      ...columnMinima(rows),
      ...means,
      ...minima.slice(0, SHARED_MEASURE_COUNT),
      rows.length,
      first === undefined || last === undefined ? 0 : (last.lastFrame - first.firstFrame + 1) / rows.length,
      first === undefined || previous === undefined ? 0 : first.firstFrame - previous.lastFrame,
    ]);
  }
  return { phones, words, utterance: utteranceMeasures(own, means, { network, alignment, mel }) };
}

function phoneMeasures(network: NetworkOutput, alignment: Alignment, mel: LogMel): number[][] {
  const energies = frameEnergies(mel);
  const meanEnergy = energies.reduce((sum, energy) => sum + energy, 0) / energies.length;
  const soundsWithoutBlank = renormalisedWithoutBlank(network.sounds);
  const orderWithoutBlank = renormalisedWithoutBlank(network.order);
  const flat = alignment.words.flatMap((word) => word.phones);
  return flat.map((phone, index) => {
    const goodness = goodnessOf(network, phone);
    const sound = likelihoodsOf(network.sounds, soundsWithoutBlank, phone, 0);
    const order = likelihoodsOf(network.order, orderWithoutBlank, phone, PEAK_REACH_FRAMES);
    const before = flat[index - 1];
    const after = flat[index + 1];
    let energy = 0;
    for (let frame = phone.firstFrame; frame <= phone.lastFrame; frame += 1)
      energy += energies[Math.min(energies.length - 1, frame * 2)] ?? meanEnergy;
    const width = phone.lastFrame - phone.firstFrame + 1;
    return [
      goodness.mean,
      sound.mean,
      sound.leadMean,
      order.best,
      order.leadAtBest,
      order.mass,
      width,
      energy / width - meanEnergy,
      goodness.best,
      goodness.worst,
      goodness.rival,
      sound.best,
      sound.worst,
      sound.aloneMean,
      order.mean,
      order.aloneAtBest,
      order.leadMean,
      order.speech,
      before === undefined ? 0 : phone.firstFrame - before.lastFrame,
      after === undefined ? 0 : after.firstFrame - phone.lastFrame,
      order.bestFrame - (phone.firstFrame + phone.lastFrame) / 2,
      isVowel(phone.output) ? 1 : 0,
    ];
  });
}

/** The quality of the phone in its frames, and of the best other phone. */
function goodnessOf({ goodness }: NetworkOutput, { output, firstFrame, lastFrame }: AlignedPhone) {
  const sums = Array.from({ length: PHONES.length }, () => 0);
  let [best, worst] = [-Infinity, Infinity];
  for (let frame = firstFrame; frame <= lastFrame; frame += 1) {
    const row = frame * PHONES.length;
    sums.forEach((sum, phone) => (sums[phone] = sum + (goodness[row + phone] as number)));
    best = Math.max(best, goodness[row + output - 1] as number);
    worst = Math.min(worst, goodness[row + output - 1] as number);
  }
  const width = lastFrame - firstFrame + 1;
  const rival = sums.reduce((most, sum, phone) => (phone === output - 1 ? most : Math.max(most, sum)), -Infinity);
  return { mean: (sums[output - 1] as number) / width, best, worst, rival: rival / width };
}

/** The phone's log-likelihoods in its frames, with and without blank or silence as a competitor. */
function likelihoodsOf(
  { frames, outputs, logProbs }: Posteriors,
  logProbsWithoutBlank: Float32Array,
  { output, firstFrame, lastFrame }: AlignedPhone,
  reach: number,
) {
  const from = Math.max(0, firstFrame - reach);
  const to = Math.min(frames - 1, lastFrame + reach);
  let [sum, aloneSum, leadSum, mass] = [0, 0, 0, 0];
  let [best, worst, speech] = [-Infinity, Infinity, -Infinity];
  let [aloneAtBest, leadAtBest, bestFrame] = [0, 0, from];
  for (let frame = from; frame <= to; frame += 1) {
    const row = frame * outputs;
    const value = logProbs[row + output] as number;
    let rival = -Infinity;
    for (let other = 1; other < outputs; other += 1) {
      speech = Math.max(speech, logProbs[row + other] as number);
      if (other !== output) rival = Math.max(rival, logProbsWithoutBlank[row + other] as number);
    }
    const own = logProbsWithoutBlank[row + output] as number;
    sum += value;
    aloneSum += own;
    leadSum += own - rival;
    mass += Math.exp(value);
    worst = Math.min(worst, value);
    if (value > best) [best, aloneAtBest, leadAtBest, bestFrame] = [value, own, own - rival, frame];
  }
  const width = to - from + 1;
  return {
    mean: sum / width,
    aloneMean: aloneSum / width,
    leadMean: leadSum / width,
    mass,
    best,
    worst,
    aloneAtBest,
    leadAtBest,
    bestFrame,
    speech: Math.exp(speech),
  };
}

/**
 * A phone's context: stress, position in its word, and word length, then categorical features: the most likely other phone, the previous
 * and next phones (0: none), and finally the phone itself.
 */
function phoneContexts(alignment: Alignment, posteriors: Posteriors): number[][] {
  const withoutBlank = renormalisedWithoutBlank(posteriors);
  const flat = alignment.words.flatMap((word) => word.phones);
  let at = 0;
  return alignment.words.flatMap(({ phones }) =>
    phones.map((phone, indexInWord) => {
      const { output } = phone;
      const index = at;
      at += 1;
      return [
        Number(/\d$/.exec(phone.phone)?.[0] ?? -1),
        indexInWord,
        phones.length,
        likeliestRival(withoutBlank, {
          outputs: posteriors.outputs,
          output,
          from: phone.firstFrame,
          to: phone.lastFrame + 1,
        }),
        flat[index - 1]?.output ?? BLANK,
        flat[index + 1]?.output ?? BLANK,
        output,
      ];
    }),
  );
}

function likeliestRival(
  withoutBlank: Float32Array,
  stretch: { from: number; to: number; outputs: number; output: number },
): number {
  let rival = BLANK;
  let best = -Infinity;
  for (let candidate = 1; candidate < stretch.outputs; candidate += 1) {
    if (candidate === stretch.output) continue;
    let sum = 0;
    for (let frame = stretch.from; frame < stretch.to; frame += 1)
      sum += withoutBlank[frame * stretch.outputs + candidate] as number;
    if (sum > best) [best, rival] = [sum, candidate];
  }
  return rival;
}

function utteranceMeasures(
  own: number[][],
  means: number[],
  audio: { network: NetworkOutput; alignment: Alignment; mel: LogMel },
): number[] {
  const energies = frameEnergies(audio.mel);
  const sorted = energies.toSorted();
  const low = quantile(sorted, 0.05);
  const threshold = low + 0.35 * (quantile(sorted, 0.95) - low);
  const voiced = Array.from(energies, (energy) => energy > threshold);
  const first = voiced.indexOf(true);
  const last = voiced.lastIndexOf(true);
  const pauses = first < 0 ? [] : pauseLengths(voiced.slice(first, last + 1));
  const longPauses = pauses.filter((length) => length > LONG_PAUSE_FRAMES);
  const voicedEnergies = energies.filter((_, frame) => voiced[frame]);
  const flat = audio.alignment.words.flatMap((word) => word.phones);
  const middles = flat.map(({ firstFrame, lastFrame }) => (firstFrame + lastFrame) / 2);
  const gaps = Float64Array.from(
    { length: Math.max(0, middles.length - 1) },
    (_, i) => (middles[i + 1] ?? 0) - (middles[i] ?? 0),
  );
  const count = own.length;
  const percentiles = [0.1, 0.3].flatMap((share) =>
    Array.from({ length: SHARED_MEASURE_COUNT }, (_, column) =>
      quantile(Float64Array.from(own, (row) => row[column] ?? 0).toSorted(), share),
    ),
  );
  return [
    ...means,
    ...columnDeviations(own, means),
    ...percentiles,
    count / (voicedEnergies.length / 100 + 0.1),
    count / ((last - first) / 100 + 0.1),
    longPauses.length,
    longPauses.reduce((sum, length) => sum + length, 0),
    Math.max(0, ...pauses),
    gaps.length === 0 ? 0 : Math.max(...gaps),
    deviation(gaps),
    quantile(gaps.toSorted(), 0.5),
    deviation(voicedEnergies),
    count,
    audio.network.order.frames,
    ...sentenceAspects(audio.network, flat),
  ];
}

/** The network's sentence scores, from the first phone to the last. */
function sentenceAspects({ sentence, order }: NetworkOutput, flat: readonly AlignedPhone[]): number[] {
  const from = flat[0]?.firstFrame ?? 0;
  const to = Math.min(order.frames - 1, flat.at(-1)?.lastFrame ?? 0);
  return SENTENCE_ASPECTS.map((_, aspect) => {
    let sum = 0;
    for (let frame = from; frame <= to; frame += 1) sum += sentence[frame * SENTENCE_ASPECTS.length + aspect] as number;
    return sum / Math.max(1, to - from + 1);
  });
}

/** Mean log energy of each 10 ms frame. */
function frameEnergies({ frames, values }: LogMel): Float64Array {
  return Float64Array.from({ length: frames }, (_, frame) => {
    let sum = 0;
    for (let band = 0; band < MEL_BANDS; band += 1) sum += values[frame * MEL_BANDS + band] as number;
    return sum / MEL_BANDS;
  });
}

export function renormalisedWithoutBlank({ frames, outputs, logProbs }: Posteriors): Float32Array {
  const renormalised = new Float32Array(logProbs.length);
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    for (let output = 1; output < outputs; output += 1) sum += Math.exp(logProbs[frame * outputs + output] as number);
    const logSum = Math.log(sum + 1e-30);
    renormalised[frame * outputs] = -99;
    for (let output = 1; output < outputs; output += 1)
      renormalised[frame * outputs + output] = (logProbs[frame * outputs + output] as number) - logSum;
  }
  return renormalised;
}

function pauseLengths(voiced: readonly boolean[]): number[] {
  const lengths: number[] = [];
  let run = 0;
  for (const isVoiced of voiced) {
    if (!isVoiced) run += 1;
    else if (run > 0) {
      lengths.push(run);
      run = 0;
    }
  }
  return lengths;
}

const columns = (rows: readonly (readonly number[])[], reduce: (column: number[]) => number): number[] =>
  Array.from({ length: MEASURE_COUNT }, (_, column) => reduce(rows.map((row) => row[column] ?? 0)));
const columnMeans = (rows: readonly (readonly number[])[]): number[] => columns(rows, mean);
const columnMinima = (rows: readonly (readonly number[])[]): number[] =>
  columns(rows, (column) => (column.length === 0 ? 0 : Math.min(...column)));
const columnDeviations = (rows: readonly (readonly number[])[], means: readonly number[]): number[] =>
  Array.from({ length: MEASURE_COUNT }, (_, column) =>
    Math.sqrt(mean(rows.map((row) => ((row[column] ?? 0) - (means[column] ?? 0)) ** 2))),
  );
