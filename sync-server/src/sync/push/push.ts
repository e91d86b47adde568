/** Applies a device's changes in order and exactly once, and rejects invalid ones without blocking the rest. */
import { type PushResponse, type PushResponseV2, schemaFingerprint } from '@parley/contract';
import { fingerprintOf } from '@parley/domain';
import type { SignedInDevice } from '../../account/index.ts';
import { describeDatabaseFailure } from '../../db/database-failure.ts';
import { DomainError } from '../../domain-error.ts';
import type { ParsedPush } from '../parse-request.ts';
import { renewScopeEpoch } from '../restore/epoch.ts';
import { BatchFailed } from './apply-mutations.ts';
import { applyPush, SequenceGap } from './apply-push.ts';
import { inOwnTransaction } from './statements/merged-statements.ts';
import { toProtocol2Response } from './protocol-2-response.ts';
import type { PushGroups } from './push-groups.ts';
import type { PushParts, PushResult } from './push-parts.ts';
import { ResponseTooLarge } from './response-rows.ts';

export async function push(
  parts: PushParts & { groups: PushGroups },
  device: SignedInDevice,
  request: ParsedPush,
): Promise<PushResponse | PushResponseV2> {
  if (request.deviceId !== device.deviceId) throw new DomainError('auth.forbidden', { field: 'deviceId' });
  const receivedAt = parts.now();
  const { answer, commits, pushed } = await parts.groups.run({
    ...device,
    changes: request.protocol === 2 ? null : request.mutations.length,
    apply: (transaction) =>
      applyPush(transaction, { device, request, receivedAt, at: parts.now(), parts, hasSavepoints: false }),
    applyAlone: (onTrouble) => pushInParts(parts, device, { request, receivedAt, onTrouble }),
  });
  if (parts.marker !== null && commits !== null) await parts.marker.record(commits);
  if (answer.userVersion > answer.previousVersion) parts.onChanged(device.userId, answer.userVersion, pushed);
  return request.protocol === 2 ? toProtocol2Response(answer) : answer;
}

interface PushAlone {
  request: ParsedPush;
  receivedAt: Date;
  onTrouble: () => void;
}

/** When the response would be too large, only the first half of the changes is applied, and the device sends the rest again. */
async function pushInParts(parts: PushParts, device: SignedInDevice, push: PushAlone): Promise<PushResult> {
  const { request, onTrouble } = push;
  try {
    return await pushOrRenewEpoch(parts, device, push);
  } catch (error) {
    if (describeDatabaseFailure(error) === null) onTrouble();
    const { mutations } = request;
    if (!(error instanceof ResponseTooLarge) || mutations.length <= 1) throw error;
    const firstHalf = { ...request, mutations: mutations.slice(0, Math.ceil(mutations.length / 2)) };
    return pushInParts(parts, device, { ...push, request: firstHalf });
  }
}

async function pushOrRenewEpoch(
  parts: PushParts,
  device: SignedInDevice,
  { request, receivedAt, onTrouble }: PushAlone,
): Promise<PushResult> {
  const { db, onEpochChanged } = parts;
  const apply = (hasSavepoints: boolean): Promise<PushResult | null> =>
    db.transaction((tx) =>
      applyPush(inOwnTransaction(tx), { device, request, receivedAt, at: parts.now(), parts, hasSavepoints }),
    );
  try {
    const applied = await apply(false).catch((error: unknown) => {
      if (!(error instanceof BatchFailed)) throw error;
      onTrouble();
      return apply(true);
    });
    if (applied === null) throw new DomainError('auth.required');
    return applied;
  } catch (error) {
    if (!(error instanceof SequenceGap)) throw error;
    if (request.protocol === 2) throw new DomainError('sync.gap', { detail: String(error.lastSeq) });
    const { userId } = device;
    await renewScopeEpoch(db, userId);
    onEpochChanged({ userId, reason: 'push_gap' });
    throw new DomainError('sync.resync', { detail: 'epoch' });
  }
}

/**
 * A device compares this value to decide whether a change that was rejected as unknown, or failed on a bug, is worth retrying. `version` is
 * the program's, or null when it is unknown. The first call describes all tables, which takes tens of milliseconds.
 */
export const schemaVersion = (version: string | null): string =>
  version === null ? schemaFingerprint() : fingerprintOf(`${schemaFingerprint()}+${version}`);
