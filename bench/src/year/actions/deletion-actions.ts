/** Actions that end things: losing access, requesting deletion and withdrawing it. */
import { ADMIN_ID } from './account-actions.ts';
import { type AccountScript, expectAudit, requireMail } from '../account-script.ts';
import { attempt, nowMs, randomNode, type SimulatedYear } from '../simulated-year.ts';

export async function loseAccess(year: SimulatedYear, life: AccountScript): Promise<void> {
  if (life.userId === null || !life.hasAccess) return;
  const decision = { actorId: ADMIN_ID, subjectId: life.userId, reason: 'simulated' };
  await attempt(year, life, { what: 'revoking access' }, () => randomNode(year).features.access.revoke(decision));
  life.hasAccess = false;
  life.lastDisruptionMs = nowMs(year);
  expectAudit(life, 'access_revoked');
}

export async function requestDeletion(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { userId } = life;
  if (userId === null || life.deletionRequestedMs !== null) return;
  await attempt(year, life, { what: 'requesting deletion' }, () => randomNode(year).features.deletion.request(userId));
  life.deletionRequestedMs = nowMs(year);
  life.lastDisruptionMs = nowMs(year);
  requireMail(life, `goodbye ${new Date(nowMs(year)).toISOString()}`, nowMs(year));
  expectAudit(life, 'deletion_requested');
}

export async function withdrawDeletion(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { userId } = life;
  if (userId === null || life.deletionRequestedMs === null) return;
  await attempt(year, life, { what: 'withdrawing deletion' }, () =>
    randomNode(year).features.deletion.withdraw(userId),
  );
  life.deletionRequestedMs = null;
  life.lastDisruptionMs = nowMs(year);
  expectAudit(life, 'deletion_withdrawn');
}
