/** Audio to what is heard in it, with a few small networks on WebAssembly that listen independently. */
import * as ort from 'onnxruntime-web/wasm';
import { OUTPUTS, PHONES } from '../pronounce/phones.ts';
import { type LogMel, MEL_BANDS, normaliseBands } from '../signal/log-mel.ts';
import { loadPackedSession } from './packed-session.ts';

/** The networks halve the 10 ms frame rate. */
export const FRAME_MS = 20;

export interface Posteriors {
  frames: number;
  outputs: number;
  /** `frames` × `outputs` natural log-probabilities; output 0 is CTC's blank, or silence. */
  logProbs: Float32Array;
}

export const SENTENCE_ASPECTS = ['accuracy', 'fluency', 'prosody'] as const;

/** What one network heard. */
export interface NetworkHearing {
  /** Phones in their order: peaks between blanks. */
  order: Posteriors;
  /** What sounds in each frame; output 0 is silence. */
  sounds: Posteriors;
  /** `frames` × 39 logits: how well the phone is said, should it sound here. */
  goodness: Float32Array;
  /** `frames` × 3 logits: how the sentence is said, one an aspect. */
  sentence: Float32Array;
}

export interface Hearing {
  frames: number;
  /** The networks' mean probabilities of what sounds in each frame. */
  sounds: Posteriors;
  networks: readonly NetworkHearing[];
}

export interface AcousticModel {
  run: (features: LogMel) => Promise<Hearing>;
  close: () => Promise<void>;
}

/** Channels of the model's output, as `training/acoustic.py` lays them out. */
const SOUNDS_FROM = OUTPUTS;
const GOODNESS_FROM = 2 * OUTPUTS;
const SENTENCE_FROM = GOODNESS_FROM + PHONES.length;
const CHANNELS = SENTENCE_FROM + SENTENCE_ASPECTS.length;

export async function loadAcousticModel(modelFile: string, options: { threads: number }): Promise<AcousticModel> {
  const session = await loadPackedSession(modelFile, options);
  /** One list entry a network. */
  const hear = async (bands: Float32Array): Promise<Float32Array[]> => {
    const { heard } = await session.run({
      features: new ort.Tensor('float32', bands, [1, bands.length / MEL_BANDS, MEL_BANDS]),
    });
    const [count = 0, frames = 0, channels] = heard?.dims ?? [];
    if (!(heard?.data instanceof Float32Array) || count === 0 || channels !== CHANNELS)
      throw new Error(`the acoustic model ${modelFile} has no output "heard" of ${CHANNELS} channels; train it again`);
    const { data } = heard;
    return Array.from({ length: count }, (_, at) => data.slice(at * frames * CHANNELS, (at + 1) * frames * CHANNELS));
  };
  return {
    run: async (features) => {
      const bands = normaliseBands(features);
      const pieces: Float32Array[][] = [];
      for (const { from, to } of quietCuts(features))
        pieces.push(await hear(bands.subarray(from * MEL_BANDS, to * MEL_BANDS)));
      const networks = (pieces[0] ?? []).map((_, network) =>
        joined(pieces.map((piece) => piece[network] ?? new Float32Array())),
      );
      return hearingOf(networks);
    },
    close: () => session.release(),
  };
}

/** What the networks hear at once, in 10 ms frames: they were trained on sentences, and memory grows with it. */
const MAX_PIECE_FRAMES = 2_000;
const CUT_WITHIN_FRAMES = 600;

/** Pieces that end where it is quietest; all but the last have an even number of frames, so that halves add up. */
export function quietCuts({ frames, values }: LogMel): { from: number; to: number }[] {
  const energyAt = (frame: number): number => {
    let sum = 0;
    for (let at = (frame - 5) * MEL_BANDS; at < (frame + 5) * MEL_BANDS; at += 1) sum += values[at] ?? 0;
    return sum;
  };
  const pieces: { from: number; to: number }[] = [];
  let from = 0;
  while (frames - from > MAX_PIECE_FRAMES) {
    let quietest = from + MAX_PIECE_FRAMES;
    for (let frame = quietest - CUT_WITHIN_FRAMES; frame <= from + MAX_PIECE_FRAMES; frame += 2)
      if (energyAt(frame) < energyAt(quietest)) quietest = frame;
    pieces.push({ from, to: quietest });
    from = quietest;
  }
  return [...pieces, { from, to: frames }];
}

function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function hearingOf(heard: readonly Float32Array[]): Hearing {
  const networks = heard.map((own): NetworkHearing => {
    const frames = own.length / CHANNELS;
    const posteriors = (from: number): Posteriors => ({
      frames,
      outputs: OUTPUTS,
      logProbs: channelsOf(own, from, OUTPUTS),
    });
    return {
      order: posteriors(0),
      sounds: posteriors(SOUNDS_FROM),
      goodness: channelsOf(own, GOODNESS_FROM, PHONES.length),
      sentence: channelsOf(own, SENTENCE_FROM, SENTENCE_ASPECTS.length),
    };
  });
  const sounds = meanOf(networks.map((network) => network.sounds));
  return { frames: sounds.frames, networks, sounds };
}

/** The part of a hearing from one frame to another, `to` left out. */
export function sliceHearing(hearing: Hearing, from: number, to: number): Hearing {
  const posteriors = ({ outputs, logProbs }: Posteriors): Posteriors => ({
    frames: to - from,
    outputs,
    logProbs: logProbs.subarray(from * outputs, to * outputs),
  });
  return {
    frames: to - from,
    sounds: posteriors(hearing.sounds),
    networks: hearing.networks.map(({ order, sounds, goodness, sentence }) => ({
      order: posteriors(order),
      sounds: posteriors(sounds),
      goodness: goodness.subarray(from * PHONES.length, to * PHONES.length),
      sentence: sentence.subarray(from * SENTENCE_ASPECTS.length, to * SENTENCE_ASPECTS.length),
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

function meanOf(all: readonly Posteriors[]): Posteriors {
  const [first] = all;
  if (first === undefined) throw new Error('an acoustic model without a network');
  const logProbs = Float32Array.from(first.logProbs, (_, index) =>
    Math.log(all.reduce((sum, { logProbs: own }) => sum + Math.exp(own[index] as number), 0) / all.length + 1e-12),
  );
  return { frames: first.frames, outputs: first.outputs, logProbs };
}
