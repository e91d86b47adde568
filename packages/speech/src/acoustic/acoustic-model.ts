/** Runs the acoustic model: an ensemble of small, independent networks on WebAssembly. */
import * as ort from 'onnxruntime-web/wasm';
import { OUTPUTS, PHONES } from '../pronounce/phones.ts';
import { type LogMel, MEL_BANDS, normaliseBands } from '../signal/log-mel.ts';
import { loadPackedSession } from './packed-session.ts';

/** The networks halve the 10 ms frame rate. */
export const FRAME_MS = 20;

export interface Posteriors {
  frames: number;
  outputs: number;
  /** `frames` × `outputs` natural log-probabilities. Output 0 is CTC's blank, or silence. */
  logProbs: Float32Array;
}

export const SENTENCE_ASPECTS = ['accuracy', 'fluency', 'prosody'] as const;

/** The width of the network's last layer. */
export const EMBEDDING_WIDTH = 192;

/** The output of one network. */
export interface NetworkOutput {
  /** The sequence of phones: CTC peaks between blanks. */
  order: Posteriors;
  /** The phone in each frame; output 0 is silence. */
  sounds: Posteriors;
  /** `frames` × 39 logits: the quality of each phone, assuming that it is spoken here. */
  goodness: Float32Array;
  /** `frames` × 3 logits: the quality of the sentence, one per aspect. */
  sentence: Float32Array;
  /**
   * `frames` × `EMBEDDING_WIDTH`: the network's last layer, which describes how a phone sounds in more detail than the
   * outputs above.
   */
  embedding: Float32Array;
}

export interface AcousticOutput {
  frames: number;
  /** The mean probability of each phone per frame, over all networks. */
  sounds: Posteriors;
  networks: readonly NetworkOutput[];
}

export interface AcousticModel {
  run: (features: LogMel) => Promise<AcousticOutput>;
  close: () => Promise<void>;
}

/** The layout of the model's output channels, as `training/network.py` defines it. */
const SOUNDS_FROM = OUTPUTS;
const GOODNESS_FROM = 2 * OUTPUTS;
const SENTENCE_FROM = GOODNESS_FROM + PHONES.length;
const CHANNELS = SENTENCE_FROM + SENTENCE_ASPECTS.length;

/** The output of one network. */
interface NetworkData {
  channels: Float32Array;
  embedding: Float32Array;
}

export async function loadAcousticModel(modelFile: string, options: { threads: number }): Promise<AcousticModel> {
  const session = await loadPackedSession(modelFile, options);
  /** One entry per network. */
  const runNetworks = async (bands: Float32Array): Promise<NetworkData[]> => {
    const { heard, embedding } = await session.run({
      features: new ort.Tensor('float32', bands, [1, bands.length / MEL_BANDS, MEL_BANDS]),
    });
    const [count = 0, frames = 0, width] = heard?.dims ?? [];
    if (!(heard?.data instanceof Float32Array) || count === 0 || width !== CHANNELS)
      throw new Error(`the acoustic model ${modelFile} has no output "heard" of ${CHANNELS} channels; retrain it`);
    if (!(embedding?.data instanceof Float32Array) || embedding.data.length !== count * frames * EMBEDDING_WIDTH)
      throw new Error(
        `the acoustic model ${modelFile} has no output "embedding" of ${EMBEDDING_WIDTH}; export it again`,
      );
    const partOf = (data: Float32Array, at: number): Float32Array =>
      data.slice((at * data.length) / count, ((at + 1) * data.length) / count);
    const [channels, embeddings] = [heard.data, embedding.data];
    return Array.from({ length: count }, (_, at) => ({
      channels: partOf(channels, at),
      embedding: partOf(embeddings, at),
    }));
  };
  return {
    run: async (features) => {
      const bands = normaliseBands(features);
      const segments: NetworkData[][] = [];
      for (const { from, to } of splitAtQuietPoints(features))
        segments.push(await runNetworks(bands.subarray(from * MEL_BANDS, to * MEL_BANDS)));
      const networks = (segments[0] ?? []).map((_, network): NetworkData => {
        const part = (of: keyof NetworkData): Float32Array =>
          concatenate(segments.map((piece) => piece[network]?.[of] ?? new Float32Array()));
        return { channels: part('channels'), embedding: part('embedding') };
      });
      return toAcousticOutput(networks);
    },
    close: () => session.release(),
  };
}

/**
 * The longest input that the networks process at once, in 10 ms frames. They were trained on sentences, and memory use grows with the
 * length.
 */
const MAX_INPUT_FRAMES = 2_000;
const SPLIT_SEARCH_FRAMES = 600;

/**
 * Splits the input at its quietest points. All segments but the last have an even number of frames, so that the halved frame counts add up.
 */
export function splitAtQuietPoints({ frames, values }: LogMel): { from: number; to: number }[] {
  const energyAt = (frame: number): number => {
    let sum = 0;
    for (let at = (frame - 5) * MEL_BANDS; at < (frame + 5) * MEL_BANDS; at += 1) sum += values[at] ?? 0;
    return sum;
  };
  const segments: { from: number; to: number }[] = [];
  let from = 0;
  while (frames - from > MAX_INPUT_FRAMES) {
    let quietest = from + MAX_INPUT_FRAMES;
    for (let frame = quietest - SPLIT_SEARCH_FRAMES; frame <= from + MAX_INPUT_FRAMES; frame += 2)
      if (energyAt(frame) < energyAt(quietest)) quietest = frame;
    segments.push({ from, to: quietest });
    from = quietest;
  }
  return [...segments, { from, to: frames }];
}

function concatenate(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toAcousticOutput(heard: readonly NetworkData[]): AcousticOutput {
  const networks = heard.map(({ channels, embedding }): NetworkOutput => {
    const frames = channels.length / CHANNELS;
    const posteriors = (from: number): Posteriors => ({
      frames,
      outputs: OUTPUTS,
      logProbs: channelsOf(channels, from, OUTPUTS),
    });
    return {
      order: posteriors(0),
      sounds: posteriors(SOUNDS_FROM),
      goodness: channelsOf(channels, GOODNESS_FROM, PHONES.length),
      sentence: channelsOf(channels, SENTENCE_FROM, SENTENCE_ASPECTS.length),
      embedding,
    };
  });
  const sounds = averagePosteriors(networks.map((network) => network.sounds));
  return { frames: sounds.frames, networks, sounds };
}

/** The frames `from` (inclusive) to `to` (exclusive). */
export function sliceAcousticOutput(output: AcousticOutput, from: number, to: number): AcousticOutput {
  const posteriors = ({ outputs, logProbs }: Posteriors): Posteriors => ({
    frames: to - from,
    outputs,
    logProbs: logProbs.subarray(from * outputs, to * outputs),
  });
  return {
    frames: to - from,
    sounds: posteriors(output.sounds),
    networks: output.networks.map(({ order, sounds, goodness, sentence, embedding }) => ({
      order: posteriors(order),
      sounds: posteriors(sounds),
      goodness: goodness.subarray(from * PHONES.length, to * PHONES.length),
      sentence: sentence.subarray(from * SENTENCE_ASPECTS.length, to * SENTENCE_ASPECTS.length),
      embedding: embedding.subarray(from * EMBEDDING_WIDTH, to * EMBEDDING_WIDTH),
    })),
  };
}

function channelsOf(data: Float32Array, from: number, width: number): Float32Array {
  const frames = data.length / CHANNELS;
  const picked = new Float32Array(frames * width);
  for (let frame = 0; frame < frames; frame += 1)
    picked.set(data.subarray(frame * CHANNELS + from, frame * CHANNELS + from + width), frame * width);
  return picked;
}

function averagePosteriors(all: readonly Posteriors[]): Posteriors {
  const [first] = all;
  if (first === undefined) throw new Error('the acoustic model contains no network');
  const logProbs = Float32Array.from(first.logProbs, (_, index) =>
    Math.log(all.reduce((sum, { logProbs: own }) => sum + Math.exp(own[index] as number), 0) / all.length + 1e-12),
  );
  return { frames: first.frames, outputs: first.outputs, logProbs };
}
