/** What the scorer looks at, as one network heard it: goodness of pronunciation, durations and pauses, per phone, word and utterance. */
import { type NetworkHearing, type Posteriors, SENTENCE_ASPECTS } from '../acoustic/acoustic-model.ts';
import type { AlignedPhone, Alignment } from '../align/align.ts';
import { BLANK, isVowel, PHONES } from '../pronounce/phones.ts';
import { type LogMel, MEL_BANDS } from '../signal/log-mel.ts';

/** Measures of one phone before its neighbours are added. */
const OWN = 22;
/** Of these, how many a phone also sees of its neighbours. */
const SHARED = 8;
/** The order of phones is told at peaks, which may lie a little outside of where the phone sounds. */
const PEAK_REACH_FRAMES = 2;
const LONG_PAUSE_FRAMES = 15;
/** Of the experts' 0-2 for a phone. */
const WEAK_BELOW = 1.5;

export interface PronunciationFeatures {
  /** One row a phone, in order. */
  phones: number[][];
  /** One row an aligned word. */
  words: number[][];
  utterance: number[];
}

/** Goodness of pronunciation after Witt and Young (2000), on what sounds in each frame and on blank-free CTC posteriors. */
export function pronunciationFeatures(
  network: NetworkHearing,
  alignment: Alignment,
  mel: LogMel,
): PronunciationFeatures {
  const own = ownMeasures(network, alignment, mel);
  const means = columnMeans(own);
  const places = placesOf(alignment, network.sounds);
  const phones = own.map((row, index) => {
    const before = own[Math.max(0, index - 1)] ?? row;
    const after = own[Math.min(own.length - 1, index + 1)] ?? row;
    return [...row, ...before.slice(0, SHARED), ...after.slice(0, SHARED), ...means, ...(places[index] ?? [])];
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
      ...minima.slice(0, SHARED),
      rows.length,
      first === undefined || last === undefined ? 0 : (last.lastFrame - first.firstFrame + 1) / rows.length,
      first === undefined || previous === undefined ? 0 : first.firstFrame - previous.lastFrame,
    ]);
  }
  return { phones, words, utterance: utteranceMeasures(own, means, { network, alignment, mel }) };
}

function ownMeasures(network: NetworkHearing, alignment: Alignment, mel: LogMel): number[][] {
  const energies = frameEnergies(mel);
  const meanEnergy = energies.reduce((sum, energy) => sum + energy, 0) / energies.length;
  const soundsAlone = renormalisedWithoutBlank(network.sounds);
  const orderAlone = renormalisedWithoutBlank(network.order);
  const flat = alignment.words.flatMap((word) => word.phones);
  return flat.map((phone, index) => {
    const goodness = goodnessOf(network, phone);
    const sound = likelihoodsOf(network.sounds, soundsAlone, phone, 0);
    const order = likelihoodsOf(network.order, orderAlone, phone, PEAK_REACH_FRAMES);
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

/** How well the phone is said where it sounds, and how well any other would be. */
function goodnessOf({ goodness }: NetworkHearing, { output, firstFrame, lastFrame }: AlignedPhone) {
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

/** The phone's log-likelihoods over its stretch, with blank or silence as a rival and without. */
function likelihoodsOf(
  { frames, outputs, logProbs }: Posteriors,
  alone: Float32Array,
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
      if (other !== output) rival = Math.max(rival, alone[row + other] as number);
    }
    const own = alone[row + output] as number;
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
 * Where a phone stands and what it competes with: stress, place in its word, the word's length; then categories: the likeliest other
 * phone, the phones before and after (0: none), and the phone itself, last.
 */
function placesOf(alignment: Alignment, posteriors: Posteriors): number[][] {
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
  audio: { network: NetworkHearing; alignment: Alignment; mel: LogMel },
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
    Array.from({ length: SHARED }, (_, column) =>
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

/** What the network thinks of the sentence, from its first phone to its last. */
function sentenceAspects({ sentence, order }: NetworkHearing, flat: readonly AlignedPhone[]): number[] {
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

/**
 * Adds to the rows of words and utterance what the phones' own scores (0-2, unrounded) say of them. The training recipe does the
 * same (`training/train_scorer.py`).
 */
export function withPhoneScores(
  features: PronunciationFeatures,
  alignment: Alignment,
  phoneScores: readonly number[],
): Pick<PronunciationFeatures, 'words' | 'utterance'> {
  const overall = mean(phoneScores);
  let at = 0;
  const words = features.words.map((row, index) => {
    const count = alignment.words[index]?.phones.length ?? 0;
    const own = phoneScores.slice(at, at + count).toSorted((a, b) => a - b);
    at += count;
    return [...row, mean(own), own[0] ?? 0, overall, mean(own.slice(0, 2))];
  });
  const sorted = Float64Array.from(phoneScores).toSorted();
  return {
    words,
    utterance: [
      ...features.utterance,
      overall,
      sorted[0] ?? 0,
      quantile(sorted, 0.1),
      quantile(sorted, 0.3),
      phoneScores.filter((score) => score < WEAK_BELOW).length / Math.max(1, phoneScores.length),
      deviation(sorted),
    ],
  };
}

const columns = (rows: readonly (readonly number[])[], reduce: (column: number[]) => number): number[] =>
  Array.from({ length: OWN }, (_, column) => reduce(rows.map((row) => row[column] ?? 0)));
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
const columnMeans = (rows: readonly (readonly number[])[]): number[] => columns(rows, mean);
const columnMinima = (rows: readonly (readonly number[])[]): number[] =>
  columns(rows, (column) => (column.length === 0 ? 0 : Math.min(...column)));
const columnDeviations = (rows: readonly (readonly number[])[], means: readonly number[]): number[] =>
  Array.from({ length: OWN }, (_, column) =>
    Math.sqrt(mean(rows.map((row) => ((row[column] ?? 0) - (means[column] ?? 0)) ** 2))),
  );

function deviation(values: Float64Array): number {
  if (values.length === 0) return 0;
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length);
}

function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return 0;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
