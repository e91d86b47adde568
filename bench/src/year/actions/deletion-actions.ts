/** Actions that end things: losing access, requesting deletion and withdrawing it. */
import { ADMIN_ID } from './account-actions.ts';
import { type AccountScript, expectAudit, requireMail } from '../account-script.ts';
import { attempt, nowMs, randomNode, type SimulatedYear } from '../simulated-year.ts';

export async function loseAccess(year: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.userId === null || !script.hasAccess) return;
  const decision = { actorId: ADMIN_ID, subjectId: script.userId, reason: 'simulated' };
  await attempt(year, script, { what: 'revoking access' }, () => randomNode(year).features.access.revoke(decision));
  script.hasAccess = false;
  script.lastDisruptionMs = nowMs(year);
  expectAudit(script, 'access_revoked');
}

export async function requestDeletion(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { userId } = script;
  if (userId === null || script.deletionRequestedMs !== null) return;
  await attempt(year, script, { what: 'requesting deletion' }, () =>
    randomNode(year).features.deletion.request(userId),
  );
  script.deletionRequestedMs = nowMs(year);
  script.lastDisruptionMs = nowMs(year);
  requireMail(script, `goodbye ${new Date(nowMs(year)).toISOString()}`, nowMs(year));
  expectAudit(script, 'deletion_requested');
}

export async function withdrawDeletion(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { userId } = script;
  if (userId === null || script.deletionRequestedMs === null) return;
  await attempt(year, script, { what: 'withdrawing deletion' }, () =>
    randomNode(year).features.deletion.withdraw(userId),
  );
  script.deletionRequestedMs = null;
  script.lastDisruptionMs = nowMs(year);
  expectAudit(script, 'deletion_withdrawn');
}
