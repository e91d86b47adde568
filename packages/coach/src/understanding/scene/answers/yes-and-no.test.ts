/** A bare "No." or "Yes." at the steps of the scenes that ship whose questions can be answered so. */
import { loadSharedUnderstanding } from '@parley/catalogue';
import type { PracticeDifficulty } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachOf, dialogueOf } from '../../../test-kit/scene-coaches.ts';
import { EMPTY_MEMORY, type SceneAnswer } from '../../index.ts';

function answerAt(title: string, node: string, said: string, difficulty: PracticeDifficulty = 'easy'): SceneAnswer {
  return coachOf(title).answer({ node, difficulty, said });
}

/** The intents of a node with which the coach's reaction fits. */
function understoodAs(title: string, node: string, { coach, kind }: SceneAnswer): string[] {
  const intents = dialogueOf(title).nodes.find(({ key }) => key === node)?.understanding?.intents ?? [];
  return kind === 'intent'
    ? intents.filter(({ reactions }) => reactions.some((reaction) => coach.startsWith(reaction))).map(({ key }) => key)
    : [];
}

describe('bare answer', { timeout: 60_000 }, () => {
  it.each([
    ['Your first day at work', 'lunch', 'No.', 'decline'],
    ['Ask a colleague for help', 'propose', 'No.', 'not-then'],
    ['Ask a colleague for help', 'propose', 'No, thank you.', 'not-then'],
    ['Talk to a stranger at a conference', 'together', 'No.', 'sorry'],
    ['Talk to a stranger at a conference', 'together', 'No, thank you.', 'sorry'],
    ['Run a short meeting', 'close', 'No.', 'more'],
    ['Check in at a hotel', 'room', 'No.', 'other-wish'],
    ['Check in at a hotel', 'room', 'No, thank you.', 'other-wish'],
    ['Check in at a hotel', 'sorry', 'No, thank you.', 'more'],
    ['Check in at a hotel', 'check-out', 'No.', 'late'],
    ['Chase an unpaid invoice', 'lost', 'No.', 'unsure'],
    ['Say no to a request', 'request', 'No.', 'refuse'],
    ['See a doctor', 'how-bad', 'No.', 'bad'],
    ['See a doctor', 'how-bad', 'Yes.', 'mild'],
    ['See a doctor', 'wait', 'No.', 'worried'],
    ['A phone call on a bad line', 'other-day', 'No, thank you.', 'not-monday'],
    ['Change a booking by phone', 'price', 'No, thank you.', 'too-much'],
    ['Explain a gap in your CV', 'assure', 'No.', 'limits'],
    ['Swap a shift', 'doubt', 'Yes.', 'important'],
  ])('is understood: %s, %s, %s', (title, node, said, intent) => {
    expect(understoodAs(title, node, answerAt(title, node, said))).toEqual([intent]);
  });

  it('about medicine counts, also when there is none', () => {
    expect(answerAt('See a doctor', 'medicine', 'No.').objectives).toEqual(['medicine']);
    expect(answerAt('See a doctor', 'medicine', 'None.').objectives).toEqual(['medicine']);
  });

  it.each([
    ['See a doctor', 'medicine'],
    ['See a doctor', 'allergy'],
    ['Check in at a hotel', 'name'],
    ['Make an appointment', 'number'],
    ['Interview for an internship', 'example'],
    ['Give a stand-up update', 'slow'],
  ])('that only agrees to tell something is followed by it: %s, %s', (title, node) => {
    const phrases = loadSharedUnderstanding().asks['go-ahead']?.replies;
    const answer = answerAt(title, node, 'Yes.');
    expect(answer).toMatchObject({ kind: 'asks', reply: null, objectives: [] });
    expect(phrases).toContain(answer.coach);
  });

  it('to an offer does not make the coach offer again', () => {
    const coach = coachOf('Check in at a hotel');
    const first = coach.answer({ node: 'more', difficulty: 'easy', said: 'Yes.', memory: EMPTY_MEMORY });
    const second = coach.answer({
      node: 'more',
      difficulty: 'easy',
      said: 'Yes.',
      memory: first.memory,
      lastLine: first.coach,
    });
    const phrases = loadSharedUnderstanding().asks['go-ahead']?.replies;
    expect(phrases).toContain(first.coach);
    expect(phrases).toContain(second.coach);
    expect(second.coach).not.toBe(first.coach);
  });

  it('where the question wants more is asked to say more', () => {
    const phrases = (loadSharedUnderstanding().asks['help']?.replies ?? []).map((reply) => reply.replace(/ \{.*$/, ''));
    const { coach, kind } = answerAt('Meet a client for the first time', 'welcome', 'No, thank you.');
    expect(kind).toBe('asks');
    expect(phrases.filter((phrase) => coach.startsWith(phrase))).not.toEqual([]);
  });
});
