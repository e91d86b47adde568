/** Tells two confusable phones apart by how a segment sounds and by the sequence that the networks recognised. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { outputOf } from '../pronounce/phones.ts';
import { SEGMENT_FEATURES } from './segment-features.ts';

const ContrastFile = z.object({
  contrasts: z.array(
    z.object({
      /** The log-odds are those of the second phone. */
      phones: z.tuple([z.string(), z.string()]),
      weights: z.array(z.number()).length(SEGMENT_FEATURES),
      bias: z.number(),
      /** The weight of the networks' log-likelihood ratio. */
      sequenceWeight: z.number(),
      /** The share of held-out examples that are distinguished, averaged over both phones. */
      reliability: z.number().min(0).max(1),
    }),
  ),
});

interface Contrast {
  rival: number;
  reliability: number;
  /** The log-odds that the rival was said, given that one of the two was and both are equally likely. */
  logOdds: (segment: Float64Array, sequenceLogRatio: number) => number;
}

export interface ContrastModel {
  /** The contrasts of an output with each phone that learners confuse with it. */
  contrastsOf: (output: number) => readonly Contrast[];
}

export const CONTRASTS_FILE = 'contrasts.json';

export async function loadContrastModel(file: string): Promise<ContrastModel> {
  const { contrasts } = ContrastFile.parse(JSON.parse(await readFile(file, 'utf8')));
  const contrastsByOutput = new Map<number, Contrast[]>();
  for (const { phones, weights, bias, sequenceWeight, reliability } of contrasts) {
    const [first, second] = phones.map((phone) => outputOf(phone));
    if (first === undefined || second === undefined)
      throw new Error(`${file} names an unknown phone: ${phones.join()}`);
    const secondFromSegment = (segment: Float64Array): number =>
      weights.reduce((sum, weight, at) => sum + weight * (segment[at] as number), bias);
    const add = (output: number, contrast: Contrast): void => {
      contrastsByOutput.set(output, [...(contrastsByOutput.get(output) ?? []), contrast]);
    };
    add(first, {
      rival: second,
      reliability,
      logOdds: (segment, ratio) => secondFromSegment(segment) + sequenceWeight * ratio,
    });
    add(second, {
      rival: first,
      reliability,
      logOdds: (segment, ratio) => -secondFromSegment(segment) + sequenceWeight * ratio,
    });
  }
  return { contrastsOf: (output) => contrastsByOutput.get(output) ?? [] };
}
