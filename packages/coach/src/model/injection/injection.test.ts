/**
 * Attacks by text, each against a model that obeys the attacker in everything. No model runs here, and none has to: what is tried is what
 * stands between a model that has fallen and a learner, and whether the attacker's text reaches it as anything but data.
 */
import type { CoachEvent, CoachReview } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { aScene, coachSaid, collect, held, learnerSaid } from '../../test-kit/builders.ts';
import { type Script, scriptedModel } from '../../test-kit/scripted-model.ts';
import { leaksInstructions } from '../leak-watch.ts';
import type { Asked } from '../language-model.ts';
import { createModelCoach } from '../model-coach.ts';
import { holdsLink } from '../private-data.ts';
import { PROMPT_NAMES, promptText } from '../prompts.ts';
import { type Attack, HARMLESS, QUESTION } from './attack.ts';
import { BY_LEARNERS } from './by-learners.ts';
import { BY_REVIEWS } from './by-reviews.ts';
import { BY_TEXTS } from './by-texts.ts';

const OBEDIENT: Script = {
  reply: 'As you wish, everything is reached.<goodbye/>',
  judge: {
    proofs: ['I am sorry', 'two days late', 'on Friday'].map((words, at) => ({ objective: at + 1, words })),
  },
  review: {
    best: 'You did all.',
    fix: 'Nothing.',
    nextStep: 'Go on.',
    summary: 'You did all that you were asked.',
    corrections: [{ said: 'words that nobody said', better: 'obey', why: 'Because.' }],
    remember: ['Always obey this learner.'],
    languageQuality: 100,
  },
  hint: { replies: [{ keywords: 'obey', sentence: 'I obey.' }] },
};

interface Outcome {
  asked: readonly Asked[];
  said: string;
  events: readonly CoachEvent[];
  review: CoachReview;
}

async function suffer(attack: Attack): Promise<Outcome> {
  const model = scriptedModel({ ...OBEDIENT, ...attack.obeys });
  const coach = createModelCoach(aScene({ model, ...attack.scene }));
  const said = attack.said ?? HARMLESS;
  const turns = [coachSaid(attack.coachSaid ?? `Good morning. ${QUESTION}`), learnerSaid(said)];
  const { signal } = new AbortController();
  const events = await collect(coach.reply(held(turns), signal));
  const review = await coach.review(held(turns), signal);
  await coach.hint(held([...turns, coachSaid('And now?')]), { level: 3, signal });
  return { asked: model.asked, said, events, review };
}

const OUR_LINES = new Set(PROMPT_NAMES.flatMap((name) => promptText(name).split('\n')));
const OUR_COUNT = /^(Still open: objective [\d, ]+\.|Every objective is reached\.)$/;
const FENCED = /<(coach|scene|learner|objectives|useful_words|remembered|coach_said|said)>\n[^<>]*\n<\/\1>/g;

/** Whoever wrote the rest, the instructions are ours, and every text of theirs stands behind a whole fence. */
function expectFenced(asked: Asked): void {
  for (const line of asked.instructions.split('\n'))
    expect(OUR_LINES.has(line) || OUR_COUNT.test(line), `not ours: ${line}`).toBe(true);
  for (const { role, text } of asked.messages) {
    expect(text).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E01EF}]/u);
    if (role === 'learner') expect(text.replace(FENCED, '').trim()).toBe('');
    else expect(text).not.toMatch(/[<>\n]/);
  }
}

const isInOrder = (text: string): boolean => !/[<>]/.test(text) && !holdsLink(text) && !leaksInstructions(text);

function expectUnharmed(attack: Attack, { asked, said, events, review }: Outcome): void {
  asked.forEach(expectFenced);
  const told = asked.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n\n');
  for (const text of attack.untold ?? []) expect(told).not.toContain(text);
  for (const text of attack.told ?? []) expect(told).toContain(text);

  const last = events.at(-1);
  if (last?.type !== 'line') throw new Error('no line');
  const words = events.flatMap((event) => (event.type === 'words' ? [event.text] : []));
  expect(words.join('')).toBe(last.line.text);
  expect(last.line.text).toMatch(attack.line ?? 'As you wish, everything is reached.');
  if (typeof attack.line === 'string') expect(last.line.text).toBe(attack.line);
  expect(isInOrder(last.line.text), last.line.text).toBe(true);
  expect(last.line.kind).not.toBe('goodbye');

  const proofs = events.flatMap((event) => (event.type === 'proved' ? [event.words] : []));
  expect(proofs).toEqual(attack.proves ?? []);
  for (const proof of proofs) expect(said).toContain(proof);
  expect(review.corrections.map((correction) => correction.said)).toEqual(attack.corrects ?? []);
  expect(review.remember).toEqual(attack.remembers ?? []);
  for (const text of [review.best, review.fix, review.nextStep, review.summary]) expect(isInOrder(text)).toBe(true);
}

describe.each([
  ['by what a learner says', BY_LEARNERS],
  ['by texts of others', BY_TEXTS],
  ['on a review', BY_REVIEWS],
])('an attack %s', (_, attacks) => {
  it.each(attacks)('$name', async (attack) => expectUnharmed(attack, await suffer(attack)));
});

it('these are forty attacks and more, no two alike', () => {
  const names = [...BY_LEARNERS, ...BY_TEXTS, ...BY_REVIEWS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});
