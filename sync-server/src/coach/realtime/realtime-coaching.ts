/** Starts realtime sessions: checks access, builds the scene, reserves budget and records costs. */
import {
  END_SESSION_FUNCTION,
  judgeTurn,
  type Proof,
  type RealtimeScene,
  realtimeInstructions,
} from '@parley/coach/model';
import { isFreeLocation, type RealtimeBeginMessage } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import type { ConversationState } from '@parley/coach';
import { eq } from 'drizzle-orm';
import type { SignedInDevice } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import {
  transcriptionCostMicros,
  type Leases,
  type Ledger,
  realtimeCostMicros,
  realtimeMinuteMicros,
} from '../../metering/index.ts';
import type { RealtimeUse } from '../../ports/speech/index.ts';
import type { AiServices, RealtimeService } from '../coaching.ts';
import { createMeteredModel } from '../metered-model.ts';
import { readScene } from '../read-scene.ts';
import { acquireRenewingLease } from './renewing-lease.ts';
import {
  createRealtimeCoachSession,
  type RealtimeConnection,
  type RealtimeCoachSession,
} from './realtime-coach-session.ts';

export interface RealtimeCoachingParts {
  db: Database;
  realtime: RealtimeService | null;
  /** Judges which objectives were met; without a judge, none are completed during the call. */
  judge: AiServices['coach'];
  ledger: Ledger;
  leases: Leases;
  now: () => Date;
  newId: () => string;
  /** The interval between checks of the remaining time. */
  checkEveryMs?: number;
}

export interface RealtimeCoaching {
  /** Throws an error for the device when the session cannot start, or the signal's reason when it is aborted. */
  begin: (
    device: SignedInDevice,
    asked: RealtimeBeginMessage,
    on: { connection: RealtimeConnection; signal: AbortSignal; stillAdmitted: () => Promise<void> },
  ) => Promise<RealtimeCoachSession>;
}

const CHECK_EVERY_MS = 500;

const conversationKeyOf = ({ deviceId }: SignedInDevice, { held }: Pick<RealtimeBeginMessage, 'held'>): string =>
  `${deviceId} ${held.sessionId}`;

export function createRealtimeCoaching(parts: RealtimeCoachingParts): RealtimeCoaching {
  const { db, realtime, ledger, leases, now, newId, checkEveryMs = CHECK_EVERY_MS } = parts;
  /** Sessions by device and conversation, because a broken connection may not have been noticed when it is resumed. */
  const sessionsByConversation = new Map<string, { session: RealtimeCoachSession; device: SignedInDevice }>();
  /** Settles when the latest attempt for a conversation has begun or failed. */
  const attempts = new Map<string, Promise<unknown>>();

  /** Concurrent attempts would not see each other's session, and all would share one lease. */
  function beginInTurn(
    conversationKey: string,
    attempt: () => Promise<RealtimeCoachSession>,
  ): Promise<RealtimeCoachSession> {
    const result = (attempts.get(conversationKey) ?? Promise.resolve()).then(attempt);
    const settled = result
      .catch(() => undefined)
      .finally(() => {
        if (attempts.get(conversationKey) === settled) attempts.delete(conversationKey);
      });
    attempts.set(conversationKey, settled);
    return result;
  }

  const begin: RealtimeCoaching['begin'] = async (
    device,
    { held, timeZone, takeOver, patienceMs, isMoment },
    { connection, signal, stillAdmitted },
  ) => {
    if (realtime === null) throw new DomainError('coach.unavailable');
    const { userId } = device;
    const { sessionId, practiceId, agentId } = held;
    const ownSessions = () => [...sessionsByConversation.values()].filter((one) => one.device.userId === userId);
    // Without a limit on the time, no lease refuses a second device, or a first one that redials after the call was moved.
    if (!takeOver && ownSessions().some((one) => one.device.deviceId !== device.deviceId))
      throw new DomainError('live.elsewhere');
    const [scene, voice] = await Promise.all([
      readScene(db, { userId, practiceId, agentId }),
      readCoachVoice(db, agentId),
    ]);
    const realtimeScene: RealtimeScene = { ...scene, difficulty: held.difficulty };
    const conversation: ConversationState = {
      turns: held.turns,
      completed: held.completed.map((objectiveId) => ({ objectiveId })),
    };
    const { instructions, goodbyeInstructions, messages } = realtimeInstructions(realtimeScene, conversation);
    const budget = await reserveMinute(realtime, userId);
    // A provider numbers its replies, but some restart at each connection, so ledger ids need a prefix that is unique.
    const realtimeId = newId();
    const conversationKey = conversationKeyOf(device, { held });
    const before = sessionsByConversation.get(conversationKey)?.session;
    before?.onDisconnect();
    await before?.closed.catch(() => undefined);

    const session = createRealtimeCoachSession({
      connection,
      scene: realtimeScene,
      conversation,
      startsOnHold: isMoment,
      goodbyeInstructions,
      now,
      newId,
      checkEveryMs,
      judge: createJudge(device, realtimeScene, sessionId),
      used: (used) => recordUsage(realtime, { userId, sessionId, realtimeId, used }),
    });
    const lease = await acquireRenewingLease({
      leases,
      device,
      request: { sessionId, style: 'ultra_realistic', timeZone, takeOver },
      now,
      checkEveryMs,
      assertStillAdmitted: stillAdmitted,
      renewBudget: budget.renew,
      onLowBalance: session.onLowBalance,
      onQuotaExhausted: session.onQuotaExhausted,
      onLeaseLost: session.fail,
    }).catch(async (error: unknown) => {
      await budget.release();
      throw error;
    });
    // A call on another node learns from its next heartbeat that its lease was taken over.
    for (const other of ownSessions()) other.session.fail(new DomainError('live.elsewhere'));
    try {
      const request = { instructions, messages, voice, patienceMs, endFunction: END_SESSION_FUNCTION };
      const voiceSession = await realtime.voice.open(request, { onEvent: session.onVoiceEvent, signal });
      sessionsByConversation.set(conversationKey, { session, device });
      void session.closed
        .catch(() => undefined)
        .then(() => {
          if (sessionsByConversation.get(conversationKey)?.session === session)
            sessionsByConversation.delete(conversationKey);
          return budget.release();
        })
        // A reservation that is not released expires.
        .catch(() => undefined);
      await session.start(voiceSession, lease);
    } catch (error) {
      await lease.refund();
      await budget.release();
      throw error;
    }
    return session;
  };

  return {
    begin: (device, asked, on) => beginInTurn(conversationKeyOf(device, asked), () => begin(device, asked, on)),
  };

  /** Reserves the cost of the next minute, and renews it before each further one. */
  async function reserveMinute({ where, voice }: RealtimeService, userId: string) {
    if (isFreeLocation(where)) return { renew: async () => undefined, release: async () => undefined };
    const costMicros = realtimeMinuteMicros(voice.name);
    const reservation = await ledger.reserve({ userId, costMicros, isLeased: true });
    return { renew: () => reservation.renew(costMicros), release: reservation.release };
  }

  function createJudge(device: SignedInDevice, scene: RealtimeScene, sessionId: string) {
    const { judge } = parts;
    if (judge === null) return null;
    const { userId } = device;
    const model = createMeteredModel(judge.model, {
      ledger,
      newId,
      userId,
      sessionId,
      isFree: isFreeLocation(judge.where),
    });
    return (before: ConversationState, asked: Parameters<typeof judgeTurn>[2]): Promise<Proof[]> =>
      judgeTurn({ ...scene, model }, before, asked);
  }

  /** Records usage under the reply's own id, so that a repeated report is counted once. */
  async function recordUsage(
    { where, voice }: RealtimeService,
    {
      userId,
      sessionId,
      realtimeId,
      used,
    }: { userId: string; sessionId: string; realtimeId: string; used: RealtimeUse },
  ): Promise<void> {
    const isFree = isFreeLocation(where);
    const entry = {
      id: `realtime:${realtimeId}:${used.use}:${used.id}`,
      userId,
      sessionId,
      style: 'ultra_realistic',
      model: voice.name,
      isEstimate: used.isEstimate,
    } as const;
    if (used.use === 'transcribe') {
      const costMicros = isFree ? 0 : transcriptionCostMicros(voice.name, { seconds: used.seconds, isScored: false });
      return ledger.record({ ...entry, use: 'transcribe', costMicros });
    }
    const tokens = { input: used.text.input + used.audio.input, output: used.text.output + used.audio.output };
    const costMicros = isFree ? 0 : realtimeCostMicros(voice.name, used);
    return ledger.record({ ...entry, use: 'reply', costMicros, tokens });
  }
}

async function readCoachVoice(db: Database, agentId: string): Promise<CoachVoice> {
  const { aiAgentProfiles } = tables;
  const [row] = await db
    .select({ voice: aiAgentProfiles.voice })
    .from(aiAgentProfiles)
    .where(eq(aiAgentProfiles.agentId, agentId));
  if (row === undefined) throw new DomainError('practice.not_found');
  return row.voice;
}
