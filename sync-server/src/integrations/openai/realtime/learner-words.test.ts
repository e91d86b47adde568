import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '../../../speech/index.ts';
import { LearnerSpeech } from './learner-speech.ts';
import { speech } from './test-kit/sound.ts';

const itemId = 'item_1';
const place = { fromMs: 0, toMs: 1_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aTurn(coach = { isSpeaking: false }) {
  const told: RealtimeEvent[] = [];
  const tried: string[] = [];
  const turnTaken = vi.fn();
  const learner = new LearnerSpeech({
    send: () => undefined,
    tryTo: (event) => void tried.push(event.type),
    tell: (event) => void told.push(event),
    coach: { isSpeaking: () => coach.isSpeaking, interrupt: () => undefined },
    turnTaken,
  });
  const words = (text: string | null): void =>
    learner.take(
      text === null
        ? { type: 'conversation.item.input_audio_transcription.failed', item_id: itemId }
        : { type: 'conversation.item.input_audio_transcription.completed', item_id: itemId, transcript: text },
    );
  return { learner, told, tried, turnTaken, words, coach };
}

function spoken(turn: ReturnType<typeof aTurn>): void {
  turn.learner.hear(speech(1_000));
  turn.learner.take({ type: 'input_audio_buffer.committed', item_id: itemId });
}

const said = (text: string | null): RealtimeEvent => ({ type: 'learnerSaid', itemId, text, ...place });

describe('the words of a turn', () => {
  it('that take longer than anybody waits are told when they come', () => {
    const turn = aTurn();
    spoken(turn);
    vi.advanceTimersByTime(3_000);
    expect(turn.told.at(-1)).toEqual(said(null));
    turn.words('Good morning.');
    expect(turn.told.at(-1)).toEqual(said('Good morning.'));
    turn.words('Good morning.');
    expect(turn.told).toHaveLength(2);
  });

  it('that nobody can tell are not known, and not nothing', () => {
    const turn = aTurn();
    spoken(turn);
    turn.words(null);
    expect(turn.told).toEqual([said(null)]);
  });

  it('may be none: then nothing was said', () => {
    const turn = aTurn();
    spoken(turn);
    turn.words(' ');
    expect(turn.told).toEqual([said('')]);
  });

  it.each([
    ['Stop, please.', 2],
    ['Mm-hm.', 0],
  ])('of a short sound count however late they come: “%s”', (text, events) => {
    const turn = aTurn({ isSpeaking: true });
    turn.learner.take({ type: 'input_audio_buffer.speech_started', item_id: itemId, audio_start_ms: 0 });
    turn.learner.hear(speech(360));
    turn.learner.take({ type: 'input_audio_buffer.speech_stopped', item_id: itemId, audio_end_ms: 360 });
    turn.learner.take({ type: 'input_audio_buffer.committed', item_id: itemId });
    vi.advanceTimersByTime(10_000);
    turn.coach.isSpeaking = false;
    turn.words(text);
    expect(turn.told).toHaveLength(events);
    expect(turn.turnTaken).toHaveBeenCalledTimes(events / 2);
  });
});

describe('who has finished', () => {
  it('has said what the provider has not noticed yet', async () => {
    const turn = aTurn();
    turn.learner.hear(speech(1_000));
    const finished = vi.fn();
    void turn.learner.finish().then(finished);
    expect(turn.tried).toEqual(['input_audio_buffer.commit']);
    turn.learner.take({ type: 'input_audio_buffer.committed', item_id: itemId });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(finished).not.toHaveBeenCalled();
    turn.words('Good morning.');
    await vi.advanceTimersByTimeAsync(0);
    expect(turn.told).toEqual([{ type: 'learnerStarted', fromMs: 0 }, said('Good morning.')]);
    expect(finished).toHaveBeenCalledOnce();
  });

  it('waits for nothing where nothing was said', async () => {
    const turn = aTurn();
    await turn.learner.finish();
    expect(turn.tried).toEqual([]);
  });

  it('waits for nothing more where the provider found nothing', async () => {
    const turn = aTurn();
    turn.learner.hear(speech(1_000));
    const finished = turn.learner.finish();
    turn.learner.commitRefused();
    await finished;
  });
});
