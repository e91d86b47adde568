import type { ResultView } from '@parley/contract';
import {
  type FeedbackPoint,
  type LearnerTurn,
  PracticeId,
  RecordingId,
  storeFeedbackPoint,
  TurnId,
} from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { type FeedbackContext, showFeedback } from './feedback-sentence.ts';

const turnId = TurnId.parse('019a0000-0000-7000-8000-000000000001');
const recordingId = RecordingId.parse('019a0000-0000-7000-8000-000000000002');
const TEXT = 'I am sorry. Is there anything I can do to help?';

const turn = { role: 'learner', turnId, text: TEXT, recordingId, assessment: null } as LearnerTurn;
const context = (feedback: Partial<NonNullable<ResultView['feedback']>> | null = null): FeedbackContext => ({
  feedback: feedback as ResultView['feedback'],
  session: { turns: [turn], objectives: [] },
});
const show = (point: FeedbackPoint, of = context()) => showFeedback(storeFeedbackPoint(point), of);

const place = { turnId, startMs: 62_400, endMs: 63_000 };
const sound: FeedbackPoint = { code: 'sound', ...place, word: 'anything', sound: 'θ', heard: 't', score: 34, also: [] };

describe('showFeedback', () => {
  it('names the sentence, word, comparison and second, and where to play it', () => {
    expect(show(sound)).toEqual({
      quote: { text: 'Is there anything I can do to help?', word: 'anything', occurrence: null },
      sentence:
        'In “anything”, your /θ/ as in “three” sounded like /t/ as in “team”, at 1:02. The word scored 34 of 100.',
      coachText: null,
      clip: { recordingId, startMs: 62_400, endMs: 63_000 },
      hint: 'Put the tip of your tongue between your teeth and let the air out.',
    });
    expect(show({ ...sound, sound: 'm' }).hint).toBeNull();
    expect(show({ ...sound, heard: null, also: ['this', 'them'] }).sentence).toBe(
      'In “anything”, your /θ/ as in “three” wasn’t clear, at 1:02. The word scored 34 of 100. It was the same in “this” and “them”.',
    );
  });

  it('quotes the sentence in which the word was said, if it occurs more than once', () => {
    const text = 'I think so. Well, I think it’s late. She gave the book to the man.';
    const words = text.split(' ').map((word, at) => ({
      word: word.replace(/[.,]/, ''),
      startMs: at * 400,
      endMs: at * 400 + 300,
      error: 'None',
    }));
    const said = { ...turn, text, assessment: { words } } as unknown as LearnerTurn;
    const of = { feedback: null, session: { turns: [said], objectives: [] } };
    const second = { ...sound, word: 'think', startMs: 2_000, endMs: 2_300 };
    expect(show(second, of).quote).toEqual({ text: 'Well, I think it’s late.', word: 'think', occurrence: 0 });
    // The range of a pause begins with the word before it, here "to".
    const pause: FeedbackPoint = {
      code: 'pause',
      turnId,
      startMs: 4_800,
      endMs: 5_500,
      word: 'the',
      pauseMs: 900,
    };
    expect(show(pause, of).quote).toEqual({ text: 'She gave the book to the man.', word: 'the', occurrence: 1 });
  });

  it('says how long a pause was, and how flat a voice', () => {
    expect(show({ code: 'pause', ...place, word: 'help', pauseMs: 940 }).sentence).toBe(
      'You paused for 0.9 s before “help”, at 1:02. Try saying these words in one breath.',
    );
    expect(show({ code: 'flat', ...place, semitones: 1.4 }).sentence).toMatch(/moved by only 1\.4 semitones/);
  });

  it('names the sound and the words of another practice', () => {
    const practiceId = PracticeId.parse('019a0000-0000-7000-8000-000000000003');
    expect(show({ code: 'practice_with_sound', sound: 'θ', practiceId, words: ['throat', 'month'] }).sentence).toBe(
      'Practise /θ/ as in “three” in another conversation, with words like “throat” and “month”.',
    );
  });

  it('quotes a correction that the coach made, and nothing when it is gone', () => {
    const corrections = [{ said: 'I have stole it', better: 'I have stolen it', why: 'The third form.' }];
    expect(show({ code: 'correction', index: 0 }, context({ corrections })).sentence).toBe(
      'You said “I have stole it”. A better way to say it: “I have stolen it”.',
    );
    expect(show({ code: 'correction', index: 3 }, context({ corrections })).sentence).toBeNull();
  });

  it('phrases the rules’ corrections as hints, and explains them', () => {
    const why = storeFeedbackPoint({ code: 'grammar', rule: 'agree' });
    const corrections = [{ said: 'I am agree', better: 'I agree', why }];
    expect(show({ code: 'correction', index: 0 }, context({ corrections })).sentence).toBe(
      'You said “I am agree”. You could say: “I agree”.',
    );
    expect(show({ code: 'grammar', rule: 'agree' }).sentence).toMatch(/is itself a verb/);
  });

  it('counts answers and open objectives in whole sentences', () => {
    expect(show({ code: 'session', turns: 3, done: 1, total: 2, isJudged: true, pron: 80 }).sentence).toBe(
      'You answered 3 times. You reached 1 of 2 objectives.',
    );
    expect(show({ code: 'session', turns: 0, done: 0, total: 2, isJudged: true, pron: null }).sentence).toMatch(
      /before your first answer/,
    );
  });

  it('shows an older version’s sentence as it is, and the coach’s words', () => {
    const old = 'You spoke with a good, steady flow: 86 of 100.';
    expect(showFeedback(old, context())).toEqual({
      quote: null,
      sentence: null,
      coachText: old,
      clip: null,
      hint: null,
    });
    const stored = storeFeedbackPoint({ code: 'all_objectives', total: 2 }, 'You were polite.');
    expect(showFeedback(stored, context())).toMatchObject({
      sentence: 'You did everything you set out to do.',
      coachText: 'You were polite.',
    });
  });

  it('plays the whole turn for a point about all of it', () => {
    const scored = { ...turn, assessment: { durationMs: 3_100 } } as LearnerTurn;
    const of = { feedback: null, session: { turns: [scored], objectives: [] } };
    const whole = { recordingId, startMs: 0, endMs: 3_100 };
    expect(show({ code: 'left_out', turnId, words: ['help'] }, of).clip).toEqual(whole);
    expect(show({ code: 'left_out', turnId, words: ['help'] }).clip).toBeNull();
  });

  it('plays nothing from a turn whose recording or words are missing', () => {
    const silent = { ...turn, recordingId: null };
    const of = { feedback: null, session: { turns: [silent], objectives: [] } };
    expect(show(sound, of)).toMatchObject({ clip: null, quote: { word: 'anything' } });
    expect(show(sound, { feedback: null, session: { turns: [], objectives: [] } })).toMatchObject({ quote: null });
  });
});
