/** Losing access, and leaving for good or thinking again. */
import { ADMIN } from './account-acts.ts';
import { type Life, noteAct, noteOwed } from './life.ts';
import { attempt, nowMs, someNode, type Year } from './year.ts';

export async function loseAccess(year: Year, life: Life): Promise<void> {
  if (life.userId === null || !life.hasAccess) return;
  const decision = { actorId: ADMIN, subjectId: life.userId, reason: 'for a year’s sake' };
  await attempt(year, life, { what: 'losing access' }, () => someNode(year).features.access.revoke(decision));
  life.hasAccess = false;
  life.unsettledMs = nowMs(year);
  noteAct(life, 'access_revoked');
}

export async function askToLeave(year: Year, life: Life): Promise<void> {
  const { userId } = life;
  if (userId === null || life.leavesAskedMs !== null) return;
  await attempt(year, life, { what: 'asking to be erased' }, () => someNode(year).features.deletion.request(userId));
  life.leavesAskedMs = nowMs(year);
  life.unsettledMs = nowMs(year);
  noteOwed(life, `goodbye ${new Date(nowMs(year)).toISOString()}`, nowMs(year));
  noteAct(life, 'deletion_requested');
}

export async function stay(year: Year, life: Life): Promise<void> {
  const { userId } = life;
  if (userId === null || life.leavesAskedMs === null) return;
  await attempt(year, life, { what: 'staying' }, () => someNode(year).features.deletion.withdraw(userId));
  life.leavesAskedMs = null;
  life.unsettledMs = nowMs(year);
  noteAct(life, 'deletion_withdrawn');
}
