/** The attacks that an outsider made on a real server, each repeated on each database: a row each. */
import type { Attack, AttackRow } from './attack.ts';
import { unauthenticatedBodies } from './items/01-unauthenticated-bodies.ts';
import { unreadStreams } from './items/02-unread-streams.ts';
import { withTarget } from './target.ts';

/** One file an item; add yours here. */
export const ATTACKS: readonly Attack[] = [unauthenticatedBodies, unreadStreams];

export async function runAttack(attack: Attack, kind: Attack['on'][number]): Promise<AttackRow> {
  const { name, before, target } = attack;
  const { after, holds } = await withTarget(kind, attack.run);
  return { name: `${name} (${kind})`, before, after, target, holds };
}
