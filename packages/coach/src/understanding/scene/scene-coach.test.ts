/** The coach that understands free answers, on the scenes that ship. */
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachOf, dialogueOf } from '../../test-kit/scene-coaches.ts';
import { EMPTY_MEMORY, type SceneCoach } from '../index.ts';

const delay = coachOf('Explain a delay to a client');
const at = (node: string, said: string) => delay.answer({ node, difficulty: 'intermediate', said });

describe('free answer', { timeout: 60_000 }, () => {
  it('is understood in the learner’s own words and proves its objective', () => {
    const said = 'There was a big storm in Santos and the ship could not leave the port.';
    const answer = at('reason', said);
    expect(['intent', 'bridge']).toContain(answer.kind);
    expect(answer.reply).not.toBe('reason');
    expect(at('opening', 'I have to tell you that your boxes arrive later than we said')).toMatchObject({
      kind: 'intent',
      objectives: ['name-the-delay'],
    });
  });

  it('is answered by the coach of the scene', () => {
    expect(delay.open('easy')).toContain('Priya');
    expect(delay.open('easy')).not.toContain('{');
  });

  it.each([
    ['Sorry, could you say that again?', 'asks'],
    ['What does shipment mean?', 'asks'],
    ['My cat likes to sleep on the sofa.', 'off'],
    ['asdf qwer zxcv', 'off'],
    ['no entiendo nada de esto, perdón', 'off'],
    ['今天天气很好', 'off'],
    ['', 'off'],
  ])('does not advance the scene: %s', (said, kind) => {
    const answer = at('reason', said);
    expect(answer).toMatchObject({ kind, reply: null, objectives: [] });
    expect(answer.coach.length).toBeGreaterThan(5);
  });

  it('that is unknown to the learner is asked for in another way', () => {
    const luggage = coachOf('Report a lost suitcase');
    const unknown = luggage.answer({ node: 'flight', difficulty: 'easy', said: "I don't know the number, sorry." });
    expect(unknown).toMatchObject({ kind: 'intent', reply: 'origin' });
    expect(unknown.memory.knownFacts).not.toContain('flight');
    const { memory } = luggage.answer({ node: 'flight', difficulty: 'easy', said: 'Flight two one four.' });
    expect(memory.knownFacts).toContain('flight');
  });

  it('is not requested again when it was given early', () => {
    const said = "I'm calling because our truck has broken down.";
    const { memory } = delay.answer({ node: 'opening', difficulty: 'easy', said });
    expect(memory.knownFacts).toContain('reason');
    const late = delay.answer({ node: 'how-late', difficulty: 'easy', said: 'About four days.', memory });
    expect(late.reply).not.toBe('reason');
  });
});

/** Repeats these answers until the scene ends, and returns the visited nodes. */
function hold(
  coach: SceneCoach,
  start: string,
  difficulty: (typeof PRACTICE_DIFFICULTIES)[number],
  says: readonly string[],
) {
  const lines: string[] = [];
  let [node, memory] = [start, EMPTY_MEMORY];
  for (let turn = 0; turn < 120; turn += 1) {
    const answer = coach.answer({ node, difficulty, said: says[turn % says.length] ?? '', memory });
    lines.push(answer.coach);
    if (answer.hasEnded) return { hasEnded: true, lines };
    node = answer.reply ?? node;
    memory = answer.memory;
  }
  return { hasEnded: false, lines };
}

describe.each(['Explain a delay to a client'])('difficult learner in %s', { timeout: 60_000 }, (practice) => {
  const coach = coachOf(practice);
  const start = dialogueOf(practice).start;

  it.each([
    ['says nothing', ['']],
    ['talks of other things', ['I like pizza.', 'The moon is bright.', 'My dog can swim.']],
    ['asks for ever', ['Could you repeat that, please?', 'What do you mean?', 'Slower, please.']],
    ['mixes languages', ['Ich weiß nicht, was das ist.', 'no sé qué decir hoy', 'Maybe.']],
  ])('reaches the end: %s', (_, says) => {
    for (const difficulty of PRACTICE_DIFFICULTIES) {
      const { hasEnded, lines } = hold(coach, start, difficulty, says);
      expect(hasEnded).toBe(true);
      lines.forEach((line, index) => expect(line, `turn ${index}`).not.toBe(lines[index - 1]));
    }
  });
});
