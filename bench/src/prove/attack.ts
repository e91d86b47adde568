/** The promises of security: each attack that once succeeded is repeated on a real server process, and must do no harm. */
import { ATTACKS, runAttack } from '../attack/index.ts';
import type { ProductPromise } from './promise.ts';

export const promises: readonly ProductPromise[] = ATTACKS.flatMap((attack) =>
  attack.on.map((kind) => ({
    says: `${attack.name} (${kind})`,
    bar: attack.target,
    keep: async () => {
      const { before, after, holds } = await runAttack(attack, kind);
      return { figure: `${after} (before: ${before})`, holds };
    },
  })),
);
