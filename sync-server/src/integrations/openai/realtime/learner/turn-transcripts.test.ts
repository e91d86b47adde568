import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '../../../../ports/speech/index.ts';
import { LearnerTurns } from './learner-turns.ts';
import { speech } from '../test-kit/microphone-audio.ts';

const itemId = 'item_1';
const place = { fromMs: 0, toMs: 1_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTurn(coach = { isSpeaking: false }) {
  const emitted: RealtimeEvent[] = [];
  const bestEffortEvents: string[] = [];
  const turnTaken = vi.fn();
  const learner = new LearnerTurns({
    send: () => undefined,
    sendBestEffort: (event) => void bestEffortEvents.push(event.type),
    emit: (event) => void emitted.push(event),
    coach: { isSpeaking: () => coach.isSpeaking, interrupt: () => undefined },
    onTurnTaken: turnTaken,
  });
  const words = (text: string | null): void =>
    learner.handleEvent(
      text === null
        ? { type: 'conversation.item.input_audio_transcription.failed', item_id: itemId }
        : { type: 'conversation.item.input_audio_transcription.completed', item_id: itemId, transcript: text },
    );
  return { learner, told: emitted, tried: bestEffortEvents, turnTaken, words, coach };
}

function commitSpeech(turn: ReturnType<typeof createTurn>): void {
  turn.learner.addAudio(speech(1_000));
  turn.learner.handleEvent({ type: 'input_audio_buffer.committed', item_id: itemId });
}

const said = (text: string | null): RealtimeEvent => ({ type: 'learnerSaid', itemId, text, ...place });

describe('the transcript of a turn', () => {
  it('is reported later when it takes too long', () => {
    const turn = createTurn();
    commitSpeech(turn);
    vi.advanceTimersByTime(3_000);
    expect(turn.told.at(-1)).toEqual(said(null));
    turn.words('Good morning.');
    expect(turn.told.at(-1)).toEqual(said('Good morning.'));
    turn.words('Good morning.');
    expect(turn.told).toHaveLength(2);
  });

  it('is null, not empty, when transcription fails', () => {
    const turn = createTurn();
    commitSpeech(turn);
    turn.words(null);
    expect(turn.told).toEqual([said(null)]);
  });

  it('is empty when nothing was said', () => {
    const turn = createTurn();
    commitSpeech(turn);
    turn.words(' ');
    expect(turn.told).toEqual([said('')]);
  });

  it.each([
    ['Stop, please.', 2],
    ['Mm-hm.', 0],
  ])('decides about a short sound however late it comes: “%s”', (text, events) => {
    const turn = createTurn({ isSpeaking: true });
    turn.learner.handleEvent({ type: 'input_audio_buffer.speech_started', item_id: itemId, audio_start_ms: 0 });
    turn.learner.addAudio(speech(360));
    turn.learner.handleEvent({ type: 'input_audio_buffer.speech_stopped', item_id: itemId, audio_end_ms: 360 });
    turn.learner.handleEvent({ type: 'input_audio_buffer.committed', item_id: itemId });
    vi.advanceTimersByTime(10_000);
    turn.coach.isSpeaking = false;
    turn.words(text);
    expect(turn.told).toHaveLength(events);
    expect(turn.turnTaken).toHaveBeenCalledTimes(events / 2);
  });
});

describe('finishing', () => {
  it('commits speech that the provider has not detected yet', async () => {
    const turn = createTurn();
    turn.learner.addAudio(speech(1_000));
    const finished = vi.fn();
    void turn.learner.finish().then(finished);
    expect(turn.tried).toEqual(['input_audio_buffer.commit']);
    turn.learner.handleEvent({ type: 'input_audio_buffer.committed', item_id: itemId });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(finished).not.toHaveBeenCalled();
    turn.words('Good morning.');
    await vi.advanceTimersByTimeAsync(0);
    expect(turn.told).toEqual([{ type: 'learnerStarted', fromMs: 0 }, said('Good morning.')]);
    expect(finished).toHaveBeenCalledOnce();
  });

  it('returns at once when nothing was said', async () => {
    const turn = createTurn();
    await turn.learner.finish();
    expect(turn.tried).toEqual([]);
  });

  it('returns when the provider found no speech', async () => {
    const turn = createTurn();
    turn.learner.addAudio(speech(1_000));
    const finished = turn.learner.finish();
    turn.learner.commitRejected();
    await finished;
  });
});
