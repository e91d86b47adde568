/** A conversation in which both may speak at once: the window plays and listens, the host holds the line and keeps what was said. */
import { eventIterator } from '@orpc/contract';
import { SessionId } from '@parley/domain';
import { z } from 'zod';
import { LineHeard, REALTIME_ENDS } from '../server/realtime.ts';
import { base } from './base.ts';
import { AudioChunk, SessionView } from './practice.ts';

const CallId = z.uuid();
/** One line of the coach. */
const ItemId = z.string();

export const CallEvent = z.discriminatedUnion('type', [
  /** `isAgain`: the line broke. What is said meanwhile is kept, and told to the coach. */
  z.object({ type: z.literal('connecting'), isAgain: z.boolean() }),
  /** Both may speak. Seconds that are left of the plan; null where nothing is counted. */
  z.object({ type: z.literal('open'), remainingS: z.number().int().min(0).nullable() }),
  /** Comes ahead of its sound. */
  z.object({ type: z.literal('coachWords'), itemId: ItemId, text: z.string() }),
  /** 16-bit little-endian mono PCM at 24 kHz, in base64: to be played after what came before, as soon as it comes. */
  z.object({ type: z.literal('coachSound'), itemId: ItemId, pcm: z.base64() }),
  /** The line is over, or was cut; the session follows with what was heard of it. */
  z.object({ type: z.literal('coachEnded'), itemId: ItemId }),
  /** Stop this line now, and say by `played` how far it came. */
  z.object({ type: z.literal('bargeIn'), itemId: ItemId }),
  z.object({ type: z.literal('learnerStarted') }),
  /** What was said, understood or not; the coach answers. */
  z.object({ type: z.literal('learnerSaid'), text: z.string() }),
  /** Something of it was stored: a turn, an objective, a score. */
  z.object({ type: z.literal('session'), session: SessionView }),
  /** With five minutes left of the plan, with one, and with none, when only the goodbye is still to come. */
  z.object({ type: z.literal('quota'), remainingS: z.number().int().min(0) }),
  /** The last of all. */
  z.object({ type: z.literal('over'), reason: z.enum(REALTIME_ENDS) }),
]);
export type CallEvent = z.infer<typeof CallEvent>;

const InCall = z.object({ callId: CallId });

export const callContract = {
  /**
   * Calls the coach; the call lasts for as long as somebody listens. `callId` is the caller's own. A session has one call: while another
   * window holds it, `live.other_window`. `takeOver`: that one ends, and so does one on another device.
   */
  hold: base
    .input(
      InCall.extend({
        sessionId: SessionId,
        takeOver: z.boolean(),
        /** The silence that ends a turn; null where the coach feels it by what was said. */
        patienceMs: z.number().int().min(200).max(10_000).nullable(),
      }),
    )
    .output(eventIterator(CallEvent)),
  /** The learner's sound as time goes by, silence where they are muted; 16-bit mono PCM at 16 kHz. `seq` counts from 0. */
  sound: base.input(InCall.extend(AudioChunk.shape)).output(z.void()),
  /** After `bargeIn`, when a line is held and when it goes on, and when it was played to its end. */
  played: base.input(InCall.extend(LineHeard.shape)).output(z.void()),
  /** On: the coach waits, and hears nothing. */
  giveMeAMoment: base.input(InCall.extend({ on: z.boolean() })).output(z.void()),
  /** The learner hangs up. */
  end: base.input(InCall).output(z.void()),
};
