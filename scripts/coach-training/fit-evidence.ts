/** Fits the weight of each piece of evidence: multinomial logistic regression on standardised evidence. */
import { EVIDENCE_NAMES, type EvidenceWeights } from '../../packages/coach/src/understanding/turn/evidence.ts';
import { TALK_KINDS, type TalkKind } from '../../packages/coach/src/understanding/classification/talk-model.ts';

export interface EvidenceRow {
  kind: TalkKind;
  evidence: readonly number[];
}

/** How common each kind is assumed to be. Decision 25 says how the numbers were chosen. */
const PRIOR: Readonly<Record<TalkKind, number>> = { answer: 1, asks: 2.6, off: 0.75 };
const FITTING = { steps: 300, slowAfter: 200, rate: 0.05, slowRate: 0.01, memory: 0.95, l2: 1e-2 };

/** Each kind has the same total weight. RMSprop on all rows. */
export function fitEvidence(rows: readonly EvidenceRow[]): EvidenceWeights {
  const count = EVIDENCE_NAMES.length;
  const columns = EVIDENCE_NAMES.map((_, at) => rows.map(({ evidence }) => evidence[at] ?? 0));
  const means = columns.map((column, at) =>
    at === 0 ? 0 : column.reduce((sum, value) => sum + value, 0) / rows.length,
  );
  const deviations = columns.map((column, at) =>
    at === 0
      ? 1
      : Math.sqrt(column.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0) / rows.length) + 1e-9,
  );
  const inputs = rows.map(({ evidence }) =>
    Float64Array.from(evidence, (value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)),
  );
  const kinds = rows.map(({ kind }) => TALK_KINDS.indexOf(kind));
  const shares = TALK_KINDS.map((_, c) => 1 / (TALK_KINDS.length * kinds.filter((kind) => kind === c).length));
  const weights = new Float64Array(TALK_KINDS.length * count);
  const squares = new Float64Array(weights.length).fill(1e-8);
  for (let step = 0; step < FITTING.steps; step += 1) {
    const gradient = weights.map((weight, at) => (at % count === 0 ? 0 : FITTING.l2 * weight));
    inputs.forEach((input, row) => {
      const scores = TALK_KINDS.map((_, c) => {
        let score = 0;
        for (let at = 0; at < count; at += 1) score += (weights[c * count + at] as number) * (input[at] as number);
        return score;
      });
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const total = powers.reduce((sum, power) => sum + power, 0);
      const kind = kinds[row] ?? 0;
      powers.forEach((power, c) => {
        const error = (power / total - (c === kind ? 1 : 0)) * (shares[kind] ?? 0);
        for (let at = 0; at < count; at += 1)
          gradient[c * count + at] = (gradient[c * count + at] as number) + error * (input[at] as number);
      });
    });
    const rate = step < FITTING.slowAfter ? FITTING.rate : FITTING.slowRate;
    gradient.forEach((value, at) => {
      squares[at] = FITTING.memory * (squares[at] ?? 0) + (1 - FITTING.memory) * value * value;
      weights[at] = (weights[at] ?? 0) - (rate * value) / Math.sqrt(squares[at] ?? 1);
    });
  }
  const [answer = [], toCoach = [], other = []] = TALK_KINDS.map((kind, c) => {
    const scaled = EVIDENCE_NAMES.map((_, at) => (weights[c * count + at] ?? 0) / (deviations[at] ?? 1));
    const shift = scaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
    return scaled.map((weight, at) => Number((at === 0 ? weight - shift + Math.log(PRIOR[kind]) : weight).toFixed(3)));
  });
  return { answer, asks: toCoach, off: other };
}
