/** The promises of security: each attack that once succeeded is repeated on real processes, and must do no harm. */
import type { AttackOutcome } from '../attack/attack.ts';
import { ATTACKS, OWN_ATTACKS, runAttack } from '../attack/index.ts';
import { notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const compared = (before: string, { after, holds }: AttackOutcome): Outcome => ({
  figure: `${after} (before: ${before})`,
  holds,
});

export const promises: readonly ProductPromise[] = [
  ...ATTACKS.flatMap((attack) =>
    attack.on.map((kind) => ({
      says: `${attack.name} (${kind})`,
      bar: attack.target,
      keep: async () => compared(attack.before, await runAttack(attack, kind)),
    })),
  ),
  ...OWN_ATTACKS.map(({ name, before, target, run }) => ({
    says: name,
    bar: target,
    keep: async () => compared(before, await run()),
  })),
  {
    says: 'A stolen disk: the database and the recordings of a learner are read from it',
    bar: 'none yet',
    keep: async () => notMeasured('they are not encrypted; ADR 18 says why not yet'),
  },
];
