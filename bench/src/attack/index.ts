/** The attacks that succeeded once, each repeated on real processes: a row each. */
import type { Attack, AttackOutcome, OwnAttack } from './attack.ts';
import { unauthenticatedBodies } from './items/01-unauthenticated-bodies.ts';
import { unreadStreams } from './items/02-unread-streams.ts';
import { badChange } from './items/03-bad-change.ts';
import { floods } from './items/04-floods.ts';
import { refunds } from './items/05-refunds.ts';
import { parallelCalls } from './items/06-parallel-calls.ts';
import { strangersCodes } from './items/07-strangers-codes.ts';
import { commandLine } from './items/08-command-line.ts';
import { readableFiles } from './items/09-readable-files.ts';
import { otherNames } from './items/10-other-names.ts';
import { unsafeStarts } from './items/11-unsafe-starts.ts';
import { oldConfirmations } from './items/12-old-confirmations.ts';
import { withTarget } from './target.ts';

/** Of a server. One file an item; add yours here. */
export const ATTACKS: readonly Attack[] = [
  unauthenticatedBodies,
  unreadStreams,
  badChange,
  ...floods,
  refunds,
  parallelCalls,
  strangersCodes,
  oldConfirmations,
];

/** Of the desktop app, and of how a server is started. */
export const OWN_ATTACKS: readonly OwnAttack[] = [commandLine, readableFiles, ...otherNames, unsafeStarts];

export async function runAttack(attack: Attack, kind: Attack['on'][number]): Promise<AttackOutcome> {
  const services = await attack.startServices?.();
  try {
    return await withTarget({ kind, environment: { ...attack.environment, ...services?.environment } }, attack.run);
  } finally {
    await services?.close();
  }
}
