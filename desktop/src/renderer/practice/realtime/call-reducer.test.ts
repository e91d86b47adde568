import type { RealtimeEvent } from '@parley/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_START, type CallEffect, type CallInput, type CallState, reduceCall } from './call-reducer.ts';

const CHUNK_BYTES = 40 * 32;

/**
 * A player that behaves like the audio thread: stopping discards what is buffered and makes the next audio audible
 * again.
 */
class Fixture {
  state: CallState = CALL_START;
  buffered: string[] = [];
  playing: string | null = null;
  volume = 1;
  readonly sent: ArrayBuffer[] = [];
  readonly recorded: ArrayBuffer[] = [];
  readonly interrupted = new Set<string>();
  readonly ended: string[] = [];
  closed = 0;
  hasOpened = false;
  isOnHold = false;
  count = 0;

  input(input: CallInput): void {
    if (input.type === 'eventReceived' && this.state.status === 'active') this.hasOpened = true;
    const { state, effects } = reduceCall(this.state, input);
    this.state = state;
    for (const effect of effects) this.run(effect);
    // Commands reach the audio thread before its next report.
    const reports = this.reports.splice(0);
    for (const report of reports) this.input(report);
  }
  private readonly reports: CallInput[] = [];

  event(event: RealtimeEvent): void {
    this.input({ type: 'eventReceived', event });
  }

  private run(effect: CallEffect): void {
    expect(effect.type === 'reportFailed' || this.closed === 0, 'nothing follows the end').toBe(true);
    switch (effect.type) {
      case 'sendAudio':
        expect(this.hasOpened, 'audio waits until the host has opened the call').toBe(true);
        this.sent.push(effect.pcm);
        return;
      case 'play':
        expect(this.interrupted.has(effect.itemId), 'an interrupted utterance is not continued').toBe(false);
        this.buffered.push(effect.itemId);
        return;
      case 'stopPlayer':
        this.reports.push({ type: 'playbackStopped', itemId: this.playing, audioMs: 40 });
        this.buffered = [];
        this.playing = null;
        this.volume = 1;
        return;
      case 'pausePlayer':
        this.volume = 0;
        if (this.playing !== null) this.reports.push({ type: 'playbackPaused', itemId: this.playing, audioMs: 40 });
        return;
      case 'resumePlayer':
        this.volume = effect.volume;
        return;
      case 'reportEnded':
      case 'reportFailed':
        this.ended.push(effect.type);
        return;
      case 'close':
        this.closed += 1;
        return;
      default:
    }
  }

  /** The audio thread plays what is buffered, unless it is paused. */
  plays(): void {
    const [itemId] = this.buffered;
    if (itemId === undefined || this.volume === 0 || this.state.status === 'left') return;
    if (this.playing !== itemId) this.input({ type: 'playbackStarted', itemId: (this.playing = itemId) });
    this.buffered.shift();
    if (this.buffered.length > 0) return;
    this.playing = null;
    this.input({ type: 'playbackDrained', itemId, audioMs: 40 });
  }

  hears(isSpeech: boolean): void {
    const pcm = new ArrayBuffer(CHUNK_BYTES);
    new Uint8Array(pcm).fill(1);
    if (this.state.status === 'active') this.recorded.push(pcm);
    this.input({ type: 'microphoneChunk', pcm, level: isSpeech ? 0.5 : 0, isSpeech });
  }

  coachSpeaks(chunks: number): void {
    const itemId = `coach-${(this.count += 1)}`;
    this.event({ type: 'coachWords', itemId, text: 'Hello.' });
    for (let at = 0; at < chunks; at += 1) this.event({ type: 'coachAudio', itemId, pcm: '' });
  }

  bargeIn(): void {
    const itemId = this.playing ?? this.buffered[0];
    if (itemId === undefined || this.state.status === 'left') return;
    this.interrupted.add(itemId);
    this.event({ type: 'bargeIn', itemId });
    expect(this.playing, 'an interrupted utterance stops').toBeNull();
    // Audio that was in transit.
    this.event({ type: 'coachAudio', itemId, pcm: '' });
  }

  hold(isOnHold: boolean): void {
    if (this.state.status === 'active') this.isOnHold = isOnHold;
    this.input({ type: 'holdChanged', isOnHold });
  }
}

type Action = (fixture: Fixture) => void;

const anAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.boolean().map(
      (isSpeech): Action =>
        (fixture) =>
          fixture.hears(isSpeech),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (chunks): Action =>
        (fixture) =>
          fixture.coachSpeaks(chunks),
    ),
  },
  { weight: 6, arbitrary: fc.constant<Action>((fixture) => fixture.plays()) },
  { weight: 2, arbitrary: fc.constant<Action>((fixture) => fixture.bargeIn()) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isOnHold): Action =>
        (fixture) =>
          fixture.hold(isOnHold),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<RealtimeEvent>(
        { type: 'connecting', isAgain: true },
        { type: 'open', remainingS: 60 },
        { type: 'learnerStarted' },
        { type: 'learnerSaid', text: 'Hello.' },
        { type: 'quota', remainingS: 60 },
      )
      .map(
        (event): Action =>
          (fixture) =>
            fixture.event(event),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isMuted): Action =>
        (fixture) =>
          fixture.input({ type: 'muteChanged', isMuted }),
    ),
  },
);
const anEnd: fc.Arbitrary<CallInput> = fc.constantFrom<CallInput>(
  { type: 'left' },
  { type: 'failed', error: new Error('unplugged') },
  { type: 'slept' },
  { type: 'eventReceived', event: { type: 'over', reason: 'goodbye' } },
);

const inAnyOrder = (check: (fixture: Fixture, actions: Action[], end: CallInput) => void): void =>
  fc.assert(
    fc.property(fc.array(anAction, { maxLength: 60 }), anEnd, (actions, end) => check(new Fixture(), actions, end)),
    { numRuns: 200 },
  );

describe('a call, whatever the order of events', () => {
  it('sends every chunk of the microphone once and in order', () => {
    inAnyOrder((fixture, actions) => {
      for (const act of [...actions, (): void => fixture.event({ type: 'quota', remainingS: 60 })]) act(fixture);
      expect(fixture.sent).toHaveLength(fixture.recorded.length);
      const audible = fixture.sent.filter((pcm) => new Uint8Array(pcm)[0] === 1);
      expect(audible).toEqual(fixture.recorded.filter((pcm) => audible.includes(pcm)));
    });
  });

  it('never plays an interrupted utterance, or any utterance during a hold', () => {
    inAnyOrder((fixture, actions) => {
      for (const act of actions) {
        act(fixture);
        if (fixture.isOnHold) expect(fixture.volume).toBe(0);
      }
    });
  });

  it('does not play the coach aloud while the learner speaks over it', () => {
    inAnyOrder((fixture, actions) => {
      for (const act of actions) act(fixture);
      fixture.hold(false);
      fixture.input({ type: 'muteChanged', isMuted: false });
      for (let chunk = 0; chunk < 60; chunk += 1) fixture.hears(false);
      fixture.coachSpeaks(3);
      fixture.plays();
      if (fixture.playing === null) return;
      fixture.hears(true);
      fixture.hears(true);
      expect(fixture.volume).toBeLessThanOrEqual(0.25);
    });
  });

  it('ends once and does nothing afterwards', () => {
    inAnyOrder((fixture, actions, end) => {
      for (const act of actions) act(fixture);
      fixture.input(end);
      expect(fixture.state).toEqual({ status: 'left' });
      expect(fixture.closed).toBe(1);
      expect(fixture.ended).toHaveLength(end.type === 'left' ? 0 : 1);
      for (const act of actions) act(fixture);
      fixture.input(end);
      expect(fixture.ended).toHaveLength(end.type === 'left' ? 0 : 1);
    });
  });
});
