/** Lists the attacks that once succeeded, each repeated against real processes and shown as one row. */
import type { Attack, AttackOutcome, StandaloneAttack } from './attack.ts';
import { unauthenticatedBodies } from './cases/unauthenticated-bodies.ts';
import { brokenConnections } from './cases/broken-connections.ts';
import { unreadStreams } from './cases/unread-streams.ts';
import { invalidChangeInPush } from './cases/invalid-change-in-push.ts';
import { requestFloods } from './cases/request-floods.ts';
import { falseRefundClaim } from './cases/false-refund-claim.ts';
import { concurrentSpending } from './cases/concurrent-spending.ts';
import { signInCodeGuessing } from './cases/sign-in-code-guessing.ts';
import { tokenOnCommandLine } from './cases/token-on-command-line.ts';
import { worldReadableFiles } from './cases/world-readable-files.ts';
import { originConfusion } from './cases/origin-confusion.ts';
import { unsafeConfiguration } from './cases/unsafe-configuration.ts';
import { staleConfirmations } from './cases/stale-confirmations.ts';
import { withTarget } from './target.ts';

/** Attacks on a server. Each has its own file; add new ones here. */
export const SERVER_ATTACKS: readonly Attack[] = [
  unauthenticatedBodies,
  brokenConnections,
  unreadStreams,
  invalidChangeInPush,
  ...requestFloods,
  falseRefundClaim,
  concurrentSpending,
  signInCodeGuessing,
  staleConfirmations,
];

/** Attacks on the desktop app and on how a server is started. */
export const STANDALONE_ATTACKS: readonly StandaloneAttack[] = [
  tokenOnCommandLine,
  worldReadableFiles,
  ...originConfusion,
  unsafeConfiguration,
];

export async function runAttack(attack: Attack, kind: Attack['on'][number]): Promise<AttackOutcome> {
  const services = await attack.startServices?.();
  try {
    return await withTarget({ kind, environment: { ...attack.environment, ...services?.environment } }, attack.run);
  } finally {
    await services?.close();
  }
}
