/** Promises about security: each attack that once succeeded is repeated against real processes and must do no harm. */
import type { AttackOutcome } from '../attack/attack.ts';
import { SERVER_ATTACKS, STANDALONE_ATTACKS, runAttack } from '../attack/index.ts';
import { notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const toOutcome = (before: string, { after, holds }: AttackOutcome): Outcome => ({
  figure: `${after} (before: ${before})`,
  holds,
});

export const promises: readonly ProductPromise[] = [
  ...SERVER_ATTACKS.flatMap((attack) =>
    attack.on.map((kind) => ({
      claim: `${attack.name} (${kind})`,
      bar: attack.target,
      measure: async () => toOutcome(attack.before, await runAttack(attack, kind)),
    })),
  ),
  ...STANDALONE_ATTACKS.map(({ name, before, target, run }) => ({
    claim: name,
    bar: target,
    measure: async () => toOutcome(before, await run()),
  })),
  {
    claim: 'The database and the recordings of a learner are read from a stolen disk',
    bar: 'none yet',
    measure: async () => notMeasured('they are not encrypted; ADR 18 explains why not yet'),
  },
];
