/** Routes the procedures of practising: sessions and their turns, calls, the coach and drills. */
import type { CoachAssignment, CoachReplyUpdate, RealtimeEvent } from '@parley/contract';
import type { CoachClient, CoachMemory } from './coach/index.ts';
import type { Drills } from './drill/index.ts';
import { streamOrThrow, unwrapOrThrow } from './error-policy.ts';
import { type HostProcedures, NEVER_ABORTED } from './host-procedures.ts';
import type { Practice, RealtimeSessions } from './practice/index.ts';
import type { HostResult } from './result/index.ts';
import type { Sync } from './sync/index.ts';

export interface PracticeFeatures {
  practice: Practice;
  calls: RealtimeSessions;
  coach: CoachClient;
  memory: CoachMemory;
  coachHistory: () => CoachAssignment[];
  drills: Drills;
  sync: Sync;
}

export function createPracticeRoutes(os: HostProcedures, features: PracticeFeatures) {
  const { practice, calls, coach, memory, coachHistory, drills, sync } = features;

  /**
   * Fetches a session's missing turns first. If that fails, returns the fetch error, which says more than "turns are
   * missing".
   */
  async function whenDownloaded<Value>(
    sessionId: string,
    read: () => HostResult<Value> | Promise<HostResult<Value>>,
  ): Promise<HostResult<Value>> {
    const fetched = await sync.fetchTurns(sessionId);
    const result = await read();
    const isMissing = !result.ok && result.error.code === 'session.not_downloaded';
    return isMissing && !fetched.ok && fetched.error.code !== 'sync.offline' ? fetched : result;
  }

  return {
    practice: {
      start: os.practice.start.handler(({ input, errors }) => unwrapOrThrow(errors, practice.start(input))),
      session: os.practice.session.handler(({ input, errors, context }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.session(input, context.windowClosed)),
        ),
      ),
      beginTurn: os.practice.beginTurn.handler(({ input, errors, context }) =>
        unwrapOrThrow(errors, practice.beginTurn(input, context.windowClosed)),
      ),
      appendAudio: os.practice.appendAudio.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.appendAudio(input)),
      ),
      finishTurn: os.practice.finishTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.finishTurn(input)),
      ),
      reassessTurn: os.practice.reassessTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.reassessTurn(input)),
      ),
      correctTranscript: os.practice.correctTranscript.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.correctTranscript(input)),
      ),
      sendTurn: os.practice.sendTurn.handler(({ input, errors }) => unwrapOrThrow(errors, practice.sendTurn(input))),
      assessUnsentTurn: os.practice.assessUnsentTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.assessUnsentTurn(input)),
      ),
      sendTyped: os.practice.sendTyped.handler(({ input, errors }) => unwrapOrThrow(errors, practice.sendTyped(input))),
      streamCoachReply: os.practice.streamCoachReply.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<CoachReplyUpdate, void> {
        yield* streamOrThrow(errors, practice.streamCoachReply(input, signal));
      }),
      interruptCoach: os.practice.interruptCoach.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.interruptCoach(input)),
      ),
      translate: os.practice.translate.handler(async ({ input, errors }) => ({
        text: await unwrapOrThrow(errors, coach.translate(input)),
      })),
      draft: os.practice.draft.handler(({ input, errors }) => unwrapOrThrow(errors, practice.draft(input))),
      keepDraft: os.practice.keepDraft.handler(({ input, errors }) => unwrapOrThrow(errors, practice.saveDraft(input))),
      takeOver: os.practice.takeOver.handler(({ input, errors }) => unwrapOrThrow(errors, practice.takeOver(input))),
      hint: os.practice.hint.handler(({ input, errors }) => unwrapOrThrow(errors, practice.hint(input))),
      extend: os.practice.extend.handler(({ input, errors }) => unwrapOrThrow(errors, practice.extend(input))),
      switchCoach: os.practice.switchCoach.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.switchCoach(input)),
      ),
      pause: os.practice.pause.handler(({ input, errors }) => unwrapOrThrow(errors, practice.pause(input))),
      resume: os.practice.resume.handler(({ input, errors }) => unwrapOrThrow(errors, practice.resume(input))),
      finish: os.practice.finish.handler(({ input, errors }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.finish(input)),
        ),
      ),
      discard: os.practice.discard.handler(({ input, errors }) => unwrapOrThrow(errors, practice.discard(input))),
      result: os.practice.result.handler(({ input, errors }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.result(input)),
        ),
      ),
      retranscribe: os.practice.retranscribe.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.retryTranscription(input)),
      ),
    },
    call: {
      start: os.call.start.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<RealtimeEvent, void> {
        await practice.whenAssessed(input.sessionId);
        if (!signal.aborted) yield* streamOrThrow(errors, calls.open(input, signal));
      }),
      sound: os.call.sound.handler(({ input, errors }) => unwrapOrThrow(errors, calls.pushAudio(input))),
      played: os.call.played.handler(({ input, errors }) => unwrapOrThrow(errors, calls.played(input))),
      setOnHold: os.call.setOnHold.handler(({ input, errors }) => unwrapOrThrow(errors, calls.setOnHold(input))),
      end: os.call.end.handler(({ input, errors }) => unwrapOrThrow(errors, calls.end(input))),
    },
    coach: {
      offer: os.coach.offer.handler(() => coach.offer()),
      local: os.coach.local.handler(() => coach.listLocalModels()),
      warmUp: os.coach.warmUp.handler(() => coach.warmUp()),
      memory: os.coach.memory.handler(() => ({ lines: memory.lines() })),
      history: os.coach.history.handler(() => coachHistory()),
      forget: os.coach.forget.handler(({ input, errors }) => unwrapOrThrow(errors, memory.forgetLine(input.line))),
    },
    drill: {
      list: os.drill.list.handler(() => drills.list()),
      attempts: os.drill.attempts.handler(({ input }) => drills.attempts(input)),
      check: os.drill.check.handler(({ input, errors }) => unwrapOrThrow(errors, drills.check(input))),
      begin: os.drill.begin.handler(({ input, errors, context }) =>
        unwrapOrThrow(errors, drills.begin(input, context.windowClosed)),
      ),
      appendAudio: os.drill.appendAudio.handler(({ input, errors }) =>
        unwrapOrThrow(errors, drills.appendAudio(input)),
      ),
      finish: os.drill.finish.handler(({ input, errors }) => unwrapOrThrow(errors, drills.finish(input))),
    },
  };
}
