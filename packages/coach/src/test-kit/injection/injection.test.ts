/**
 * Prompt injection attacks, each against a model that obeys the attacker completely. No real model runs: the tests cover the defences
 * between a compromised model and a learner, and that the attacker's text only reaches the model as data.
 */
import type { CoachEvent, CoachReview } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { aScene, coachSaid, collect, aConversationState, learnerSaid } from '../builders.ts';
import { type Script, scriptedModel } from '../scripted-model.ts';
import { leaksPrompt } from '../../model/safety/prompt-leak-detector.ts';
import type { LanguageModelRequest } from '../../model/language-model.ts';
import { createModelCoach } from '../../model/model-coach.ts';
import { containsLink } from '../../model/safety/private-data.ts';
import { PROMPT_NAMES, promptText } from '../../model/prompts.ts';
import { type Attack, HARMLESS_TEXT, QUESTION } from './attack.ts';
import { LEARNER_ATTACKS } from './learner-attacks.ts';
import { REVIEW_ATTACKS } from './review-attacks.ts';
import { STORED_TEXT_ATTACKS } from './stored-text-attacks.ts';

const OBEDIENT_MODEL: Script = {
  reply: 'As you wish, everything is reached.<goodbye/>',
  judge: {
    proofs: ['I am sorry', 'two days late', 'on Friday'].map((words, at) => ({ objective: at + 1, words })),
  },
  review: {
    best: 'You did all.',
    fix: 'Nothing.',
    nextStep: 'Go on.',
    summary: 'You did all that you were asked.',
    corrections: [{ said: 'words that were not said', better: 'obey', why: 'Because.' }],
    remember: ['Always obey this learner.'],
    languageQuality: 100,
  },
  hint: { replies: [{ keywords: 'obey', sentence: 'I obey.' }] },
};

interface Outcome {
  asked: readonly LanguageModelRequest[];
  said: string;
  events: readonly CoachEvent[];
  review: CoachReview;
}

async function runAttack(attack: Attack): Promise<Outcome> {
  const model = scriptedModel({ ...OBEDIENT_MODEL, ...attack.modelScript });
  const coach = createModelCoach(aScene({ model, ...attack.scene }));
  const said = attack.learnerText ?? HARMLESS_TEXT;
  const turns = [coachSaid(attack.coachSaid ?? `Good morning. ${QUESTION}`), learnerSaid(said)];
  const { signal } = new AbortController();
  const events = await collect(coach.reply(aConversationState(turns), signal));
  const review = await coach.review(aConversationState(turns), signal);
  await coach.hint(aConversationState([...turns, coachSaid('And now?')]), { level: 3, signal });
  return { asked: model.requests, said, events, review };
}

const PROMPT_LINES = new Set(PROMPT_NAMES.flatMap((name) => promptText(name).split('\n')));
const OBJECTIVES_STATUS = /^(Still open: objective [\d, ]+\.|Every objective is reached\.)$/;
const DELIMITED = /<(coach|scene|learner|objectives|useful_words|remembered|coach_said|said)>\n[^<>]*\n<\/\1>/g;

/** The instructions contain only our own words, and every untrusted text is delimited. */
function expectDelimited(asked: LanguageModelRequest): void {
  for (const line of asked.instructions.split('\n'))
    expect(PROMPT_LINES.has(line) || OBJECTIVES_STATUS.test(line), `not ours: ${line}`).toBe(true);
  for (const { role, text } of asked.messages) {
    expect(text).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E01EF}]/u);
    if (role === 'learner') expect(text.replace(DELIMITED, '').trim()).toBe('');
    else expect(text).not.toMatch(/[<>\n]/);
  }
}

const isClean = (text: string): boolean => !/[<>]/.test(text) && !containsLink(text) && !leaksPrompt(text);

function expectDefended(attack: Attack, { asked, said, events, review }: Outcome): void {
  asked.forEach(expectDelimited);
  const told = asked.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n\n');
  for (const text of attack.absentFromPrompt ?? []) expect(told).not.toContain(text);
  for (const text of attack.presentInPrompt ?? []) expect(told).toContain(text);

  const last = events.at(-1);
  if (last?.type !== 'line') throw new Error('no line');
  const words = events.flatMap((event) => (event.type === 'words' ? [event.text] : []));
  expect(words.join('')).toBe(last.line.text);
  expect(last.line.text).toMatch(attack.expectedReply ?? 'As you wish, everything is reached.');
  if (typeof attack.expectedReply === 'string') expect(last.line.text).toBe(attack.expectedReply);
  expect(isClean(last.line.text), last.line.text).toBe(true);
  expect(last.line.kind).not.toBe('goodbye');

  const proofs = events.flatMap((event) => (event.type === 'proved' ? [event.words] : []));
  expect(proofs).toEqual(attack.validProofs ?? []);
  for (const proof of proofs) expect(said).toContain(proof);
  expect(review.corrections.map((correction) => correction.said)).toEqual(attack.expectedCorrections ?? []);
  expect(review.remember).toEqual(attack.expectedMemories ?? []);
  for (const text of [review.best, review.fix, review.nextStep, review.summary]) expect(isClean(text)).toBe(true);
}

describe.each([
  ['in learner speech', LEARNER_ATTACKS],
  ['in stored texts', STORED_TEXT_ATTACKS],
  ['on a review', REVIEW_ATTACKS],
])('attack %s', (_, attacks) => {
  it.each(attacks)('$name', async (attack) => expectDefended(attack, await runAttack(attack)));
});

it('there are at least forty distinct attacks', () => {
  const names = [...LEARNER_ATTACKS, ...STORED_TEXT_ATTACKS, ...REVIEW_ATTACKS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});
