import type { RealtimeServerMessage } from '@parley/contract';
import { GOODBYE_GRACE_S, ObjectiveId, TurnId } from '@parley/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceSession } from './realtime-reducer.ts';
import { type SessionEffect, type SessionInput, type SessionState, startOfSession } from './realtime-state.ts';

const IDLE_MS = 180_000;
const LIMIT_MS = 55 * 60_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;
const CHECK_EVERY_MS = 500;
const STARTED_AT_MS = 1_000_000;
const TURN_ID = TurnId.parse('018f6f6e-7c00-7000-8000-000000000001');
const OBJECTIVE_ID = ObjectiveId.parse('018f6f6e-7c00-7000-8000-000000000002');
const AUDIO = new Uint8Array([1, 2]);
const AUDIO_MS_PER_BYTE = 1 / 48;
const LEASE = { expiresAt: '2026-01-01T00:00:00Z', remainingS: null };

/**
 * The environment of the reducer: a voice that follows the rules of its port, a device, and a judge that answers when
 * told to.
 */
class Fixture {
  nowMs = STARTED_AT_MS;
  state: SessionState;
  isOpen = false;
  count = 0;
  readonly sent: RealtimeServerMessage[] = [];
  readonly effects: SessionEffect[] = [];
  readonly finished: Extract<SessionEffect, { type: 'finish' }>[] = [];
  readonly used: string[] = [];
  readonly said: string[] = [];
  readonly pendingJudgements: string[] = [];
  /** The utterance that the voice is speaking. The port has the coach speak one at a time. */
  speaking: string | null = null;
  lastActivityAtMs = STARTED_AT_MS;
  deviceSeenAtMs = STARTED_AT_MS;
  /** When the coach's audio ends if it is played as it arrives. */
  playsUntilMs = STARTED_AT_MS;

  constructor(isOnHold = false) {
    this.state = startOfSession({ turns: [], completed: [] }, { isOnHold, nowMs: this.nowMs });
  }

  input(input: SessionInput): SessionEffect[] {
    const { state, effects } = reduceSession(this.state, input, { nowMs: this.nowMs, mayEnd: () => true });
    this.state = state;
    for (const effect of effects) this.run(effect);
    return [...effects];
  }

  private run(effect: SessionEffect): void {
    if (this.finished.length > 0) expect(effect.type, 'only usage follows the end').toBe('recordUsage');
    this.effects.push(effect);
    switch (effect.type) {
      case 'finish':
        this.finished.push(effect);
        return;
      case 'send':
        this.sent.push(effect.message);
        return;
      case 'judge':
        expect(effect.before.turns).not.toContain(effect.said);
        this.pendingJudgements.push(effect.itemId);
        return;
      case 'speak':
      case 'sayGoodbye':
      case 'interrupt':
      case 'appendAudio':
      case 'reportPlayback':
      case 'setOnHold':
      case 'finishVoice':
        expect(this.isOpen, 'the voice is connected').toBe(true);
        return;
      default:
    }
  }

  get isOver(): boolean {
    return this.finished.length > 0;
  }
  messages<Type extends RealtimeServerMessage['type']>(type: Type): Extract<RealtimeServerMessage, { type: Type }>[] {
    return this.sent.filter(
      (message): message is Extract<RealtimeServerMessage, { type: Type }> => message.type === type,
    );
  }

  open(): void {
    if (this.isOpen || this.isOver) return;
    this.isOpen = true;
    this.input({ type: 'opened', lease: LEASE });
  }

  private voice(input: SessionInput): SessionEffect[] {
    this.lastActivityAtMs = this.nowMs;
    return this.input(input);
  }

  coachStarts(): void {
    if (!this.isOpen || this.isOver || this.speaking !== null) return;
    const itemId = `coach-${(this.count += 1)}`;
    this.speaking = itemId;
    this.voice({ type: 'coachStarted', itemId });
    this.coachSpeaks();
  }
  coachSpeaks(): void {
    const itemId = this.speaking;
    if (itemId === null || this.isOver) return;
    this.voice({ type: 'coachWords', itemId, text: `Words of ${itemId}.`, mustInterrupt: false });
    this.playsUntilMs = Math.max(this.playsUntilMs, this.nowMs) + AUDIO.byteLength * AUDIO_MS_PER_BYTE;
    const number = this.messages('coachStarted').find((message) => message.itemId === itemId)?.line;
    expect(this.voice({ type: 'coachAudio', itemId, pcm: AUDIO })).toEqual([
      { type: 'sendAudio', utterance: number, pcm: AUDIO },
    ]);
  }
  coachEnds(how: { wasCut: boolean; wantsToEnd: boolean; isOrdered: boolean }): void {
    const itemId = this.speaking;
    if (itemId === null || this.isOver) return;
    this.speaking = null;
    this.voice({ type: 'coachEnded', itemId, text: `Words of ${itemId}.`, turnId: TURN_ID, ...how });
    expect(this.messages('coachEnded').filter((message) => message.itemId === itemId)).toHaveLength(1);
  }

  learnerSays(text: string | null): void {
    if (!this.isOpen || this.isOver) return;
    const itemId = `learner-${(this.count += 1)}`;
    this.voice({ type: 'learnerStarted', fromMs: 0 });
    this.voice({ type: 'learnerSaid', itemId, text, fromMs: 0, toMs: 500, turnId: TURN_ID });
    this.said.push(itemId);
    if (text === null || text === '') return;
    expect(this.pendingJudgements.filter((judged) => judged === itemId)).toHaveLength(1);
    expect(this.state.status === 'over' ? text : this.state.conversation.turns.at(-1)?.text).toBe(text);
  }

  uses(): void {
    const id = `use-${(this.count += 1)}`;
    this.used.push(id);
    this.input({ type: 'used', used: { id, isEstimate: false, use: 'transcribe', seconds: 1 } });
  }

  judgementArrives(): void {
    const itemId = this.pendingJudgements.shift();
    if (itemId !== undefined)
      this.input({ type: 'judged', itemId, proofs: [{ objectiveId: OBJECTIVE_ID, words: 'sorry' }] });
  }

  fromDevice(input: SessionInput): void {
    if (!this.isOver) this.deviceSeenAtMs = this.nowMs;
    this.input(input);
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += CHECK_EVERY_MS) {
      this.nowMs += CHECK_EVERY_MS;
      if (this.isOpen) this.input({ type: 'timeChecked' });
    }
  }
}

type Action = (fixture: Fixture) => void;
const act = (weight: number, action: Action) => ({ weight, arbitrary: fc.constant(action) });

const anAction: fc.Arbitrary<Action> = fc.oneof(
  act(3, (fixture) => fixture.open()),
  act(4, (fixture) => fixture.coachStarts()),
  act(3, (fixture) => fixture.coachSpeaks()),
  {
    weight: 4,
    arbitrary: fc
      .record({ wasCut: fc.boolean(), wantsToEnd: fc.constantFrom(false, false, false, true), isOrdered: fc.boolean() })
      .map(
        (how): Action =>
          (fixture) =>
            // The voice marks only a requested utterance, and the only one requested is the goodbye.
            fixture.coachEnds({
              ...how,
              isOrdered: how.isOrdered && fixture.effects.some(({ type }) => type === 'sayGoodbye'),
            }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('It is two days late.', '', null).map(
      (text): Action =>
        (fixture) =>
          fixture.learnerSays(text),
    ),
  },
  act(3, (fixture) => fixture.uses()),
  act(2, (fixture) => fixture.judgementArrives()),
  act(3, (fixture) => fixture.fromDevice({ type: 'learnerAudio', pcm: AUDIO })),
  act(1, (fixture) => fixture.fromDevice({ type: 'played', position: { itemId: 'coach-1', audioMs: 40 } })),
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isOnHold): Action =>
        (fixture) =>
          fixture.fromDevice({ type: 'holdChanged', isOnHold }),
    ),
  },
  act(1, (fixture) => fixture.input({ type: 'balanceLow', remainingS: 60 })),
  act(1, (fixture) => fixture.input({ type: 'quotaExhausted' })),
  act(1, (fixture) => fixture.input({ type: 'endRequested' })),
  {
    weight: 3,
    arbitrary: fc.integer({ min: 500, max: 20_000 }).map(
      (ms): Action =>
        (fixture) =>
          fixture.pass(ms),
    ),
  },
);
const anEnd: fc.Arbitrary<SessionInput> = fc.constantFrom<SessionInput>(
  { type: 'disconnected' },
  { type: 'failed', error: new Error('closing') },
  { type: 'voiceFailed', error: new Error('unreachable') },
);

const inAnyOrder = (check: (fixture: Fixture, actions: Action[], end: SessionInput) => void): void =>
  fc.assert(
    fc.property(fc.boolean(), fc.array(anAction, { maxLength: 60 }), anEnd, (isOnHold, actions, end) =>
      check(new Fixture(isOnHold), actions, end),
    ),
    { numRuns: 200 },
  );

describe('a realtime session of the server, whatever the order of events', () => {
  it('loses nothing that was said, and records all usage', () => {
    inAnyOrder((fixture, actions, end) => {
      for (const action of actions) action(fixture);
      fixture.input(end);
      fixture.uses();
      expect(fixture.messages('learnerSaid').map(({ itemId }) => itemId)).toEqual(fixture.said);
      const recorded = fixture.effects.flatMap((effect) => (effect.type === 'recordUsage' ? [effect.used.id] : []));
      expect(recorded).toEqual(fixture.used);
    });
  });

  it('numbers the coach’s utterances, so that two are never played as one', () => {
    inAnyOrder((fixture, actions) => {
      for (const action of actions) action(fixture);
      const numbers = fixture.messages('coachStarted').map(({ line }) => line);
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    });
  });

  it('asks the coach to open at most once, and later only for the goodbye', () => {
    inAnyOrder((fixture, actions) => {
      for (const action of actions) action(fixture);
      expect(fixture.effects.filter(({ type }) => type === 'speak').length).toBe(fixture.isOpen ? 1 : 0);
      const firstGoodbye = fixture.effects.findIndex(({ type }) => type === 'sayGoodbye');
      const outOfTime = fixture.effects.findIndex(
        (effect) => effect.type === 'send' && effect.message.type === 'quota' && effect.message.remainingS === 0,
      );
      if (firstGoodbye !== -1) expect(outOfTime).toBeLessThan(firstGoodbye);
      if (firstGoodbye !== -1) expect(outOfTime).not.toBe(-1);
    });
  });

  it('ends exactly once, and never counts time after the end', () => {
    inAnyOrder((fixture, actions, end) => {
      for (const action of actions) action(fixture);
      const wasOver = fixture.isOver;
      const { deviceSeenAtMs, playsUntilMs } = fixture;
      fixture.input(end);
      expect(fixture.finished).toHaveLength(1);
      expect(fixture.state).toEqual({ status: 'over' });
      const servedUntilMs = fixture.finished[0]?.servedUntilMs ?? Number.NaN;
      expect(servedUntilMs).toBeGreaterThanOrEqual(STARTED_AT_MS);
      expect(servedUntilMs).toBeLessThanOrEqual(fixture.nowMs);
      // A device that sent nothing for this long was gone before its connection closed, unless it was listening.
      if (!wasOver && end.type === 'disconnected')
        expect(servedUntilMs).toBeLessThanOrEqual(Math.max(deviceSeenAtMs + HEARTBEAT_TIMEOUT_MS, playsUntilMs));
      for (const action of actions) action(fixture);
      fixture.input(end);
      expect(fixture.finished).toHaveLength(1);
    });
  });

  it('ends soon after the allowance is used up, even if the coach never says goodbye', () => {
    inAnyOrder((fixture, actions) => {
      fixture.open();
      for (const action of actions) action(fixture);
      fixture.input({ type: 'quotaExhausted' });
      fixture.pass(GOODBYE_GRACE_S * 1_000);
      expect(fixture.finished).toHaveLength(1);
    });
  });

  it('ends when it is idle, and does not count the silence', () => {
    inAnyOrder((fixture, actions) => {
      fixture.open();
      for (const action of actions) action(fixture);
      const { lastActivityAtMs } = fixture;
      fixture.pass(IDLE_MS);
      expect(fixture.finished).toHaveLength(1);
      const [end] = fixture.finished;
      if (end !== undefined && 'reason' in end.last && end.last.reason === 'idle')
        expect(end.servedUntilMs).toBe(lastActivityAtMs);
    });
  });

  it('ends at the longest duration, however lively it is', () => {
    fc.assert(
      fc.property(fc.array(anAction, { minLength: 1, maxLength: 20 }), (actions) => {
        const fixture = new Fixture();
        fixture.open();
        const latestEndMs = STARTED_AT_MS + LIMIT_MS + GOODBYE_GRACE_S * 1_000 + CHECK_EVERY_MS;
        while (fixture.nowMs < latestEndMs) {
          for (const action of actions) action(fixture);
          fixture.pass(60_000);
        }
        expect(fixture.finished).toHaveLength(1);
      }),
      { numRuns: 20 },
    );
  });

  it('ends when the learner’s last turn is transcribed', () => {
    inAnyOrder((fixture, actions) => {
      for (const action of actions) action(fixture);
      const asked = fixture.input({ type: 'endRequested' });
      const hasAsked = fixture.effects.some(({ type }) => type === 'finishVoice');
      if (!fixture.isOpen) expect(fixture.finished).toHaveLength(1);
      else expect(hasAsked || fixture.isOver).toBe(true);
      expect(fixture.effects.filter(({ type }) => type === 'finishVoice').length).toBeLessThanOrEqual(1);
      expect(asked.length).toBeLessThanOrEqual(1);
      fixture.input({ type: 'voiceFinished' });
      expect(fixture.finished).toHaveLength(1);
    });
  });
});

describe('a device that disconnects after it stopped sending', () => {
  const REPLY = new Uint8Array(30_000 / AUDIO_MS_PER_BYTE);
  const replied = (): Fixture => {
    const fixture = new Fixture();
    fixture.open();
    fixture.input({ type: 'coachStarted', itemId: 'reply' });
    fixture.input({ type: 'coachAudio', itemId: 'reply', pcm: REPLY });
    return fixture;
  };
  const servedMs = (fixture: Fixture): number => {
    fixture.input({ type: 'disconnected' });
    return (fixture.finished[0]?.servedUntilMs ?? Number.NaN) - STARTED_AT_MS;
  };

  it('has been served until the reply that it heard was over', () => {
    const fixture = replied();
    fixture.pass(40_000);
    expect(servedMs(fixture)).toBe(30_000);
  });

  it('has not been served a reply that it left', () => {
    const fixture = replied();
    fixture.pass(20_000);
    expect(servedMs(fixture)).toBe(20_000);
  });

  it('has not been served a reply that it interrupted', () => {
    const fixture = replied();
    fixture.pass(2_000);
    fixture.input({ type: 'bargeIn', itemId: 'reply' });
    fixture.pass(40_000);
    expect(servedMs(fixture)).toBe(HEARTBEAT_TIMEOUT_MS);
  });
});
