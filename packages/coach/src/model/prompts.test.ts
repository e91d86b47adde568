/** The prompts are complete, filled, and contain only our own words. */
import { readdirSync } from 'node:fs';
import { ENGLISH_LEVELS, type EnglishLevel, PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { someTurns, aScene, collect, aConversationState } from '../test-kit/builders.ts';
import { scriptedModel } from '../test-kit/scripted-model.ts';
import type { LanguageModelRequest } from './language-model.ts';
import { createModelCoach } from './model-coach.ts';
import { MAX_WORDS_BY_LEVEL, type ModelScene } from './context/scene-context.ts';
import { fillPrompt, trustedText, placeholdersOf, PROMPT_NAMES, promptText } from './prompts.ts';
import { translateUtterance } from './translate-utterance.ts';

const notAborted = new AbortController().signal;
const sampleText = trustedText('some words');

describe('prompts', () => {
  it('match the files on disk', () => {
    const files = readdirSync(new URL('../../prompts/', import.meta.url), { recursive: true, encoding: 'utf8' });
    const names = files.filter((file) => file.endsWith('.md')).map((file) => file.replaceAll('\\', '/').slice(0, -3));
    expect(names.toSorted()).toEqual([...PROMPT_NAMES].toSorted());
  });

  it.each(PROMPT_NAMES)('%s throws unless every placeholder is filled', (name) => {
    const placeholders = placeholdersOf(name);
    const values = Object.fromEntries(placeholders.map((placeholder) => [placeholder, sampleText]));
    expect(fillPrompt(name, values)).not.toMatch(/[{}]/);
    for (const missing of placeholders) {
      const { [missing]: _, ...others } = values;
      expect(() => fillPrompt(name, others)).toThrow(missing);
    }
    expect(() => fillPrompt(name, { ...values, other: sampleText })).toThrow('other');
    expect(promptText(name).length).toBeGreaterThan(60);
  });

  it('are not searched for placeholders in filled-in text', () => {
    const [first = '', ...others] = placeholdersOf('reply');
    const values = Object.fromEntries(others.map((placeholder) => [placeholder, trustedText('x')]));
    expect(fillPrompt('reply', { ...values, [first]: trustedText('{{moment}} $& $1') })).toContain('{{moment}} $& $1');
  });
});

const WORDS = {
  reply: 'I see. What happened?',
  judge: { proofs: [] },
  review: { best: 'a', fix: 'b', nextStep: 'c', summary: 'd', corrections: [], remember: [], languageQuality: 50 },
  hint: { replies: [{ keywords: 'late', sentence: 'It is late.' }] },
  translate: { translation: 'Guten Tag.' },
};

/** Every request that a conversation with these settings makes. */
async function requestsFor(
  changes: Partial<ModelScene>,
  said = 'It is late.',
): Promise<Record<string, LanguageModelRequest>> {
  const model = scriptedModel(WORDS);
  const coach = createModelCoach(aScene({ model, ...changes }));
  await collect(coach.reply(aConversationState(someTurns('Where is it?', said)), notAborted));
  await coach.review(aConversationState(someTurns('Where is it?', said)), notAborted);
  await coach.hint(aConversationState(someTurns('Where is it?', said, 'And now?')), { level: 3, signal: notAborted });
  await translateUtterance({ model, text: 'Where is it?', language: 'German', signal: notAborted });
  return Object.fromEntries(model.requests.map((asked) => [asked.purpose, asked]));
}

describe('model requests', () => {
  const level = (englishLevel: ModelScene['learner']['level']) => ({
    learner: { firstName: 'Ana', level: englishLevel, jobTitle: null, industry: null },
  });

  it('depend on the level wherever they produce text for the learner', async () => {
    for (const purpose of ['reply', 'hint', 'review'] as const) {
      const told = await Promise.all(
        [...ENGLISH_LEVELS, null].map(async (each) => (await requestsFor(level(each)))[purpose]?.instructions ?? ''),
      );
      expect(new Set(told).size, purpose).toBe(4);
      for (const instructions of told) expect(instructions).toMatch(/at most \d+ words/);
    }
  });

  it('state the word limit that the gate enforces', async () => {
    for (const [name, words] of Object.entries(MAX_WORDS_BY_LEVEL)) {
      const learnerLevel = name === 'unknown' ? null : (name as EnglishLevel);
      const told = (await requestsFor(level(learnerLevel)))['reply']?.instructions;
      expect(told, name).toMatch(new RegExp(`at most ${words} words in all`));
    }
  });

  it('depend on the difficulty when playing the scene', async () => {
    const told = await Promise.all(
      PRACTICE_DIFFICULTIES.map(async (difficulty) => (await requestsFor({ difficulty }))['reply']?.instructions),
    );
    expect(new Set(told).size).toBe(3);
  });

  it('name the open objectives by number', async () => {
    const told = await requestsFor({});
    expect(told['reply']?.instructions).toContain('Still open: objective 1, 2, 3.');
  });

  it('have instructions that do not depend on learner, course or coach', async () => {
    const one = await requestsFor({});
    const other = await requestsFor(
      {
        persona: { name: 'Kim', communicationStyle: 'Loud.', skills: ['Noise'], characterTraits: ['wild'] },
        practice: { title: 'Else', scenario: 'Elsewhere.', learnerRole: 'Nobody.', usefulWords: ['other'] },
        learner: { firstName: 'Zed', level: 'intermediate', jobTitle: 'Cook', industry: 'Food' },
        remembered: ['The learner likes to cook for guests.'],
      },
      'Something else.',
    );
    for (const purpose of Object.keys(WORDS)) {
      expect(one[purpose]?.instructions.length, purpose).toBeGreaterThan(300);
      expect(other[purpose]?.instructions, purpose).toBe(one[purpose]?.instructions);
    }
  });

  it('delimit every part of the scene', async () => {
    const [material] = (await requestsFor({}))['reply']?.messages ?? [];
    expect(material).toMatchObject({ role: 'learner' });
    for (const [name, text] of [
      ['coach', 'Name: Daniel'],
      ['scene', 'What is going on: A delivery is late'],
      ['learner', 'First name: Ana'],
      ['objectives', '1. Say that you are sorry\n2. Say how late it is'],
      ['useful_words', 'delivery, to be sorry'],
      ['remembered', 'The learner works with customers in Spain.'],
    ])
      expect(material?.text).toMatch(new RegExp(`<${name}>\\n[^<>]*${text}[^<>]*\\n</${name}>`));
  });

  it('omit details that the learner has not provided', async () => {
    const bare = { learner: { firstName: null, level: null, jobTitle: null, industry: null }, remembered: [] };
    const [material] = (await requestsFor(bare))['reply']?.messages ?? [];
    expect(material?.text).not.toMatch(/<learner>|<remembered>|null/);
  });
});
