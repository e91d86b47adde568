/** Live conversations with a coach who listens while it speaks: who may hold one, by which scene, and at whose cost. */
import { END_FUNCTION, judgeTurn, type Proof, type RealtimeScene, realtimeInstructions } from '@parley/coach/model';
import { isFreePlace, type RealtimeBegin } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import type { Held } from '@parley/coach';
import { eq } from 'drizzle-orm';
import type { SignedInDevice } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { failure } from '../../failure.ts';
import {
  heardCostMicros,
  type Leases,
  type Ledger,
  realtimeCostMicros,
  realtimeMinuteMicros,
} from '../../metering/index.ts';
import type { RealtimeUse } from '../../speech/index.ts';
import type { AiServices, RealtimeService } from '../coaching.ts';
import { metered } from '../metered-model.ts';
import { readScene } from '../scene.ts';
import { asFailure } from './as-failure.ts';
import { keepLease } from './keep-lease.ts';
import { holdTalk, type LiveLine, type LiveTalk } from './live-talk.ts';

export interface LiveCoachingParts {
  db: Database;
  realtime: RealtimeService | null;
  /** Judges which objectives were reached; without one, none are ticked while it goes on. */
  judge: AiServices['coach'];
  ledger: Ledger;
  leases: Leases;
  now: () => Date;
  newId: () => string;
  /** Between two looks at the time that is left. */
  checkEveryMs?: number;
}

export interface LiveCoaching {
  /** Throws what may be told to a device before anything was said, or what the signal says. */
  begin: (
    device: SignedInDevice,
    asked: RealtimeBegin,
    on: { line: LiveLine; signal: AbortSignal; stillAdmitted: () => Promise<void> },
  ) => Promise<LiveTalk>;
}

const CHECK_EVERY_MS = 500;

export function createLiveCoaching(parts: LiveCoachingParts): LiveCoaching {
  const { db, realtime, ledger, leases, now, newId, checkEveryMs = CHECK_EVERY_MS } = parts;
  /** By their session: a line that broke and is taken up again may not have noticed yet. */
  const talks = new Map<string, LiveTalk>();

  return {
    async begin(device, { held, timeZone, takeOver, patienceMs, isMoment }, { line, signal, stillAdmitted }) {
      if (realtime === null) throw failure('coach.unavailable');
      const { userId } = device;
      const { sessionId, practiceId, agentId } = held;
      const [scene, voice] = await Promise.all([
        readScene(db, { userId, practiceId, agentId }),
        readVoice(db, agentId),
      ]);
      const realtimeScene: RealtimeScene = { ...scene, difficulty: held.difficulty };
      const began: Held = { turns: held.turns, completed: held.completed.map((objectiveId) => ({ objectiveId })) };
      const { instructions, farewell, messages } = realtimeInstructions(realtimeScene, began);
      const budget = await reserveMinute(realtime, userId);
      // A provider counts its answers, but not every one counts them over all its lines.
      const talkId = newId();
      const place = `${device.deviceId} ${sessionId}`;
      const before = talks.get(place);
      before?.drop();
      await before?.closed.catch(() => undefined);

      const talk = holdTalk({
        line,
        scene: realtimeScene,
        began,
        isMoment,
        farewell,
        now,
        newId,
        checkEveryMs,
        judge: judgeFor(device, realtimeScene, sessionId),
        used: (used) => note(realtime, { userId, sessionId, talkId, used }),
      });
      const lease = await keepLease({
        leases,
        device,
        wish: { sessionId, style: 'ultra_realistic', timeZone, takeOver },
        now,
        checkEveryMs,
        stillAdmitted,
        mayGoOn: budget.renew,
        low: talk.low,
        out: talk.out,
        lost: talk.fail,
      }).catch(async (error: unknown) => {
        await budget.release();
        throw error;
      });
      try {
        const wish = { instructions, messages, voice, patienceMs, endFunction: END_FUNCTION };
        const session = await realtime.voice.open(wish, { hear: talk.take, signal });
        talks.set(place, talk);
        void talk.closed
          .catch(() => undefined)
          .then(() => {
            if (talks.get(place) === talk) talks.delete(place);
            return budget.release();
          })
          // A reservation that is left over expires.
          .catch(() => undefined);
        await talk.begin(session, lease);
      } catch (error) {
        await lease.giveBack();
        await budget.release();
        throw asFailure(error);
      }
      return talk;
    },
  };

  /** What the next minute may cost; renewed before each further one. */
  async function reserveMinute({ where, voice }: RealtimeService, userId: string) {
    if (isFreePlace(where)) return { renew: async () => undefined, release: async () => undefined };
    const costMicros = realtimeMinuteMicros(voice.name);
    const reservation = await ledger.reserve({ userId, costMicros, isLeased: true });
    return { renew: () => reservation.renew(costMicros), release: reservation.release };
  }

  function judgeFor(device: SignedInDevice, scene: RealtimeScene, sessionId: string) {
    const { judge } = parts;
    if (judge === null) return null;
    const { userId } = device;
    const model = metered(judge.model, { ledger, newId, userId, sessionId, isFree: isFreePlace(judge.where) });
    return (before: Held, asked: Parameters<typeof judgeTurn>[2]): Promise<Proof[]> =>
      judgeTurn({ ...scene, model }, before, asked);
  }

  /** By the answer's own id: what is told twice is counted once. */
  async function note(
    { where, voice }: RealtimeService,
    { userId, sessionId, talkId, used }: { userId: string; sessionId: string; talkId: string; used: RealtimeUse },
  ): Promise<void> {
    const isFree = isFreePlace(where);
    const entry = {
      id: `realtime:${talkId}:${used.use}:${used.id}`,
      userId,
      sessionId,
      style: 'ultra_realistic',
      model: voice.name,
      isEstimate: used.isEstimate,
    } as const;
    if (used.use === 'transcribe') {
      const costMicros = isFree ? 0 : heardCostMicros(voice.name, { seconds: used.seconds, isScored: false });
      return ledger.note({ ...entry, use: 'transcribe', costMicros });
    }
    const tokens = { input: used.text.input + used.audio.input, output: used.text.output + used.audio.output };
    const costMicros = isFree ? 0 : realtimeCostMicros(voice.name, used);
    return ledger.note({ ...entry, use: 'reply', costMicros, tokens });
  }
}

async function readVoice(db: Database, agentId: string): Promise<CoachVoice> {
  const { aiAgentProfiles } = tables;
  const [row] = await db
    .select({ voice: aiAgentProfiles.voice })
    .from(aiAgentProfiles)
    .where(eq(aiAgentProfiles.agentId, agentId));
  if (row === undefined) throw failure('practice.not_found');
  return row.voice;
}
