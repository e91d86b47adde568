import { MAX_TURN_MS, PCM_SAMPLE_RATE_HZ, REALTIME_BYTES_PER_MS, type RealtimeServerMessage } from '@parley/contract';
import { TurnId } from '@parley/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceRealtime } from './realtime-reducer.ts';
import { REALTIME_START, type RealtimeEffect, type RealtimeInput, type RealtimeState } from './realtime-state.ts';

const BYTES_PER_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;
const TURN_ID = TurnId.parse('018f6f6e-7c00-7000-8000-000000000001');

type Emitted = Extract<RealtimeEffect, { type: 'emit' }>['event']['type'] | 'coachAudio' | 'over';

/** The environment of the reducer: a server that answers, a disk with room, and timers that fire when told to. */
class Fixture {
  state: RealtimeState = REALTIME_START;
  nowMs = 1_000;
  audioMs = 0;
  /** The connection that was dialled last; null once it is lost. */
  connectionId: number | null = null;
  isOpen = false;
  originMs = 0;
  /** Audio before this position was sent on a connection that stayed up until the server answered it. */
  sentToMs = 0;
  /** What was sent before the server's last message or ping. */
  receivedToMs = 0;
  timers: { dueMs: number; input: RealtimeInput }[] = [];
  recordingFromMs: number | null = null;
  /** Speech that the server has detected but not answered. */
  openSpeechMs: number[] = [];
  /** All speech before this position has become turns, because it was too old to be sent. */
  keptToMs = 0;
  storedTurns: string[] = [];
  transcripts: string[] = [];
  coachTurns: string[] = [];
  emitted: Emitted[] = [];
  soundsByConnection: { itemId: string; connectionId: number | null }[] = [];
  finished: Extract<RealtimeEffect, { type: 'finish' }>[] = [];
  count = 0;
  /** Utterances that have begun but not ended, by item. */
  readonly speaking = new Map<string, { line: number; audioMs: number; isHeard: boolean }>();

  constructor(unsentMs = 0) {
    this.audioMs = unsentMs;
    this.input({ type: 'started', unsentAudio: unsentMs === 0 ? null : new Uint8Array(unsentMs * BYTES_PER_MS) });
  }

  input(input: RealtimeInput): void {
    const { state, effects } = reduceRealtime(this.state, input, this.nowMs);
    this.state = state;
    for (const effect of effects) this.run(effect);
  }

  message(message: RealtimeServerMessage): void {
    if (this.connectionId === null) return;
    if (message.type !== 'ready') this.receivedToMs = this.sentToMs;
    this.input({ type: 'messageReceived', connectionId: this.connectionId, message });
  }

  ping(): void {
    if (this.isOpen) this.receivedToMs = this.sentToMs;
    if (this.connectionId !== null) this.input({ type: 'pingReceived', connectionId: this.connectionId });
  }

  private run(effect: RealtimeEffect): void {
    expect(this.finished, 'nothing follows the end').toHaveLength(0);
    switch (effect.type) {
      case 'emit':
        this.emitted.push(effect.event.type);
        return;
      case 'emitCoachSound':
        this.emitted.push('coachAudio');
        this.soundsByConnection.push({ itemId: effect.itemId, connectionId: this.connectionId });
        return;
      case 'connect':
        expect(this.connectionId, 'one connection at a time, so one voice').toBeNull();
        this.connectionId = effect.connectionId;
        return;
      case 'sendAudio':
        expect(this.isOpen).toBe(true);
        this.sentToMs += effect.pcm.byteLength / BYTES_PER_MS;
        return;
      case 'sendMissedAudio':
        expect(effect.range.toMs).toBe(this.audioMs);
        expect(effect.range.fromMs, 'all speech is sent or stored').toBeLessThanOrEqual(
          Math.max(this.keptToMs, Math.min(this.sentToMs, ...this.openSpeechMs)),
        );
        this.openSpeechMs = this.openSpeechMs.map((fromMs) => Math.max(fromMs, this.keptToMs));
        this.originMs = effect.range.fromMs;
        this.receivedToMs = this.originMs;
        this.sentToMs = this.audioMs;
        return;
      case 'schedule':
        this.timers.push({ dueMs: this.nowMs + effect.afterMs, input: effect.input });
        return;
      case 'record':
        this.recordingFromMs ??= effect.fromMs;
        return;
      case 'restartRecording':
        this.recordingFromMs = effect.fromMs;
        return;
      case 'discardRecording':
        this.recordingFromMs = null;
        return;
      case 'storeLearnerTurn':
        this.storedTurns.push(effect.itemId);
        this.recordingFromMs = null;
        return this.input({ type: 'turnStored', itemId: effect.itemId, turnId: TURN_ID });
      case 'storeUnsentTurn': {
        const { fromMs, toMs } = effect.range;
        expect(fromMs, 'all speech is sent or stored').toBeLessThanOrEqual(
          Math.max(this.keptToMs, Math.min(this.sentToMs, ...this.openSpeechMs)),
        );
        expect(toMs - fromMs, 'a longer turn cannot be recorded').toBeLessThanOrEqual(MAX_TURN_MS);
        this.keptToMs = toMs;
        this.recordingFromMs = null;
        return;
      }
      case 'setTranscript':
        this.transcripts.push(effect.words);
        return;
      case 'storeCoachTurn':
        this.coachTurns.push(effect.text);
        return;
      case 'finish':
        this.finished.push(effect);
        if (!this.isOpen) {
          expect(effect.unstoredFromMs, 'unsent audio is kept').toBeLessThanOrEqual(this.sentToMs);
          expect(this.recordingFromMs ?? Infinity, 'unsent audio is recorded').toBeLessThanOrEqual(this.sentToMs);
        }
        if (this.openSpeechMs.length === 0) return;
        expect(effect.unstoredFromMs).toBeLessThanOrEqual(Math.min(...this.openSpeechMs));
        expect(this.recordingFromMs ?? Infinity).toBeLessThanOrEqual(Math.min(...this.openSpeechMs));
        return;
      default:
    }
  }

  learnerAudio(ms: number): void {
    if (this.state.status === 'over') return;
    this.audioMs += ms;
    this.input({ type: 'learnerAudio', pcm: new Uint8Array(ms * BYTES_PER_MS) });
  }

  ready(): void {
    if (this.connectionId === null || this.isOpen || this.state.status === 'over') return;
    this.isOpen = true;
    this.message({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
  }

  lose(failed: boolean): void {
    const { connectionId } = this;
    if (connectionId === null) return;
    this.connectionId = null;
    if (this.isOpen) this.sentToMs = this.receivedToMs;
    this.isOpen = false;
    this.speaking.clear();
    this.input({ type: 'connectionLost', connectionId, failure: failed ? { code: 'coach.busy' } : null });
    // Messages in transit belong to a connection that no longer counts.
    const before = this.emitted.length;
    const quota = { type: 'quota', remainingS: 60 } as const;
    this.input({ type: 'messageReceived', connectionId, message: quota });
    expect(this.emitted).toHaveLength(before);
  }

  learnerStarted(agoMs: number): void {
    if (!this.isOpen || this.state.status === 'over') return;
    // A server detects speech in the order in which it was said.
    const earliestMs = Math.max(0, (this.openSpeechMs.at(-1) ?? 0) - this.originMs);
    const fromMs = Math.max(earliestMs, this.audioMs - agoMs - this.originMs);
    this.openSpeechMs.push(this.originMs + fromMs);
    this.message({ type: 'learnerStarted', fromMs });
  }

  /** The server acknowledges the oldest speech as a turn. */
  learnerSaid(text: string | null): void {
    const fromMs = this.openSpeechMs[0];
    if (!this.isOpen || fromMs === undefined || fromMs < this.originMs || this.state.status === 'over') return;
    const toMs = this.audioMs;
    this.openSpeechMs = this.openSpeechMs.filter((startMs) => startMs >= (fromMs + toMs) / 2);
    const itemId = `turn-${(this.count += 1)}`;
    const before = this.storedTurns.length;
    const [from, to] = [fromMs - this.originMs, toMs - this.originMs];
    this.message({ type: 'learnerSaid', itemId, text, fromMs: from, toMs: to });
    expect(this.storedTurns.slice(before), 'an acknowledged turn is stored once').toEqual(text === '' ? [] : [itemId]);
    if (text !== null) return;
    this.message({ type: 'learnerSaid', itemId, text: `late ${itemId}`, fromMs: from, toMs: to });
    expect(this.transcripts.at(-1)).toBe(`late ${itemId}`);
    expect(this.storedTurns).toHaveLength(before + 1);
  }

  coachSpeaks(audioMs: number): void {
    if (!this.isOpen || this.state.status === 'over') return;
    const line = (this.count += 1);
    const itemId = `coach-${line}`;
    this.speaking.set(itemId, { line, audioMs, isHeard: false });
    this.message({ type: 'coachStarted', itemId, line });
    this.message({ type: 'coachWords', itemId, text: `Words of ${itemId}.` });
    const pcm = new Uint8Array(audioMs * REALTIME_BYTES_PER_MS);
    const { connectionId } = this;
    if (connectionId !== null) this.input({ type: 'coachAudioReceived', connectionId, utterance: line, pcm });
  }

  heard(): void {
    for (const [itemId, { audioMs }] of this.speaking) {
      this.speaking.set(itemId, { line: 0, audioMs, isHeard: true });
      this.input({ type: 'played', position: { itemId, audioMs } });
    }
  }

  coachEnded(): void {
    const [itemId] = this.speaking.keys();
    if (itemId === undefined || this.state.status === 'over') return;
    this.speaking.delete(itemId);
    this.heardItems.push(itemId);
    this.message({ type: 'coachEnded', itemId, text: `Words of ${itemId}.`, wasCut: false, isGoodbye: false });
  }
  /** Utterances whose heard part must be stored. */
  readonly heardItems: string[] = [];

  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.timers.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.timers = this.timers.filter(({ dueMs }) => dueMs > this.nowMs);
    for (const { input } of this.state.status === 'over' ? [] : due) this.input(input);
  }
}

type Action = (fixture: Fixture) => void;
const ms = (max: number): fc.Arbitrary<number> => fc.integer({ min: 20, max });

const anAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: ms(4_000).map(
      (long): Action =>
        (fixture) =>
          fixture.learnerAudio(long),
    ),
  },
  // A learner may speak for longer than a new connection accepts audio.
  { weight: 1, arbitrary: fc.constant<Action>((fixture) => fixture.learnerAudio(70_000)) },
  { weight: 3, arbitrary: fc.constant<Action>((fixture) => fixture.ready()) },
  { weight: 1, arbitrary: fc.constant<Action>((fixture) => fixture.ping()) },
  {
    weight: 3,
    arbitrary: ms(600).map(
      (ago): Action =>
        (fixture) =>
          fixture.learnerStarted(ago),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('Hello.', '', null).map(
      (text): Action =>
        (fixture) =>
          fixture.learnerSaid(text),
    ),
  },
  {
    weight: 3,
    arbitrary: ms(4_000).map(
      (long): Action =>
        (fixture) =>
          fixture.coachSpeaks(long),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Action>((fixture) => fixture.heard()) },
  { weight: 2, arbitrary: fc.constant<Action>((fixture) => fixture.coachEnded()) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (failed): Action =>
        (fixture) =>
          fixture.lose(failed),
    ),
  },
  {
    weight: 3,
    arbitrary: ms(9_000).map(
      (long): Action =>
        (fixture) =>
          fixture.pass(long),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isOnHold): Action =>
        (fixture) =>
          fixture.input({ type: 'holdChanged', isOnHold }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Action>((fixture) => {
      const [itemId] = fixture.speaking.keys();
      if (fixture.isOpen && itemId !== undefined) fixture.message({ type: 'bargeIn', itemId });
    }),
  },
  { weight: 1, arbitrary: fc.constant<Action>((fixture) => fixture.input({ type: 'scored' })) },
);
const anEnd: fc.Arbitrary<Action> = fc.constantFrom<Action>(
  (fixture) => fixture.input({ type: 'endRequested' }),
  (fixture) => fixture.input({ type: 'aborted', failure: null }),
  (fixture) => fixture.input({ type: 'aborted', failure: { code: 'live.other_window' } }),
  (fixture) => fixture.input({ type: 'practiceGone' }),
  (fixture) => fixture.message({ type: 'over', reason: 'goodbye' }),
);

const inAnyOrder = (check: (fixture: Fixture, actions: Action[], end: Action) => void): void =>
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 2, 3, 120, 180),
      fc.array(anAction, { maxLength: 60 }),
      anEnd,
      (unsentS, actions, end) => check(new Fixture(unsentS * 1_000), actions, end),
    ),
    { numRuns: 200 },
  );

describe('a realtime session, whatever the order of events', () => {
  it('loses no speech of the learner and dials one connection at a time', () => {
    // The assertions are in `Fixture`, at each effect.
    inAnyOrder((fixture, actions, end) => {
      for (const act of [...actions, end]) act(fixture);
    });
  });

  it('stores each utterance of the coach that was heard exactly once', () => {
    inAnyOrder((fixture, actions, end) => {
      for (const act of actions) act(fixture);
      fixture.heard();
      const heard = fixture.state.status === 'over' ? [] : [...fixture.speaking.keys()];
      end(fixture);
      fixture.pass(10_000);
      if (fixture.finished.length === 0) return;
      for (const itemId of [...heard, ...fixture.heardItems])
        expect(fixture.coachTurns.filter((text) => text === `Words of ${itemId}.`)).toHaveLength(1);
      expect(new Set(fixture.coachTurns).size).toBe(fixture.coachTurns.length);
    });
  });

  it('plays the coach only while connected', () => {
    inAnyOrder((fixture, actions) => {
      for (const act of actions) act(fixture);
      expect(fixture.soundsByConnection.every(({ connectionId }) => connectionId !== null)).toBe(true);
    });
  });

  it('ends once, at the latest when the server stays silent after the learner ended it', () => {
    inAnyOrder((fixture, actions, end) => {
      for (const act of actions) act(fixture);
      end(fixture);
      fixture.input({ type: 'endRequested' });
      if (!fixture.isOpen) expect(fixture.finished, 'no server can transcribe more').toHaveLength(1);
      fixture.pass(4_500);
      expect(fixture.finished).toHaveLength(1);
      expect(fixture.state).toEqual({ status: 'over' });
      for (const act of actions) act(fixture);
    });
  });

  it('ends when no connection stays open', () => {
    inAnyOrder((fixture, actions) => {
      for (const act of actions) act(fixture);
      for (let attempt = 0; attempt < 20; attempt += 1) {
        fixture.lose(false);
        fixture.pass(3_000);
      }
      expect(fixture.finished).toHaveLength(1);
    });
  });
});

describe('an utterance that was cut off', () => {
  it.each([
    ['The room is on the', true, 'The room is on the …'],
    ['Good morning.', true, 'Good morning.'],
    ['Room 12', false, 'Room 12'],
  ])('%j (cut: %s) is stored as %j', (text, wasCut, stored) => {
    const fixture = new Fixture(0);
    fixture.message({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
    fixture.message({ type: 'coachEnded', itemId: 'coach-1', text, wasCut, isGoodbye: false });
    expect(fixture.coachTurns).toEqual([stored]);
  });

  it('before its first sound does not count as an answer, so that a coach who always fails ends the call', () => {
    const fixture = new Fixture(0);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(fixture.finished).toHaveLength(0);
      fixture.pass(3_000);
      fixture.ready();
      fixture.message({ type: 'coachEnded', itemId: `coach-${attempt}`, text: '', wasCut: true, isGoodbye: false });
      fixture.lose(true);
    }
    expect(fixture.finished).toMatchObject([{ last: { failure: { code: 'coach.busy' } } }]);
  });
});
