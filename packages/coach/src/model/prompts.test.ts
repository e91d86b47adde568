/** The prompts: whole, filled, and made of our own words alone. */
import { readdirSync } from 'node:fs';
import { ENGLISH_LEVELS, type EnglishLevel, PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { aConversation, aScene, collect, held } from '../test-kit/builders.ts';
import { scriptedModel } from '../test-kit/scripted-model.ts';
import type { Asked } from './language-model.ts';
import { createModelCoach } from './model-coach.ts';
import { MAX_WORDS, type ModelScene } from './model-scene.ts';
import { fillPrompt, ourWords, placeholdersOf, PROMPT_NAMES, promptText } from './prompts.ts';
import { translateLine } from './translate-line.ts';

const never = new AbortController().signal;
const someWords = ourWords('some words');

describe('a prompt', () => {
  it('is a file, and each file is a prompt', () => {
    const files = readdirSync(new URL('../../prompts/', import.meta.url), { recursive: true, encoding: 'utf8' });
    const names = files.filter((file) => file.endsWith('.md')).map((file) => file.replaceAll('\\', '/').slice(0, -3));
    expect(names.toSorted()).toEqual([...PROMPT_NAMES].toSorted());
  });

  it.each(PROMPT_NAMES)('%s is filled everywhere, or it throws', (name) => {
    const placeholders = placeholdersOf(name);
    const values = Object.fromEntries(placeholders.map((placeholder) => [placeholder, someWords]));
    expect(fillPrompt(name, values)).not.toMatch(/[{}]/);
    for (const missing of placeholders) {
      const { [missing]: _, ...others } = values;
      expect(() => fillPrompt(name, others)).toThrow(missing);
    }
    expect(() => fillPrompt(name, { ...values, other: someWords })).toThrow('other');
    expect(promptText(name).length).toBeGreaterThan(60);
  });

  it('is not searched for placeholders in what was filled in', () => {
    const [first = '', ...others] = placeholdersOf('reply');
    const values = Object.fromEntries(others.map((placeholder) => [placeholder, ourWords('x')]));
    expect(fillPrompt('reply', { ...values, [first]: ourWords('{{moment}} $& $1') })).toContain('{{moment}} $& $1');
  });
});

const WORDS = {
  reply: 'I see. What happened?',
  judge: { proofs: [] },
  review: { best: 'a', fix: 'b', nextStep: 'c', summary: 'd', corrections: [], remember: [], languageQuality: 50 },
  hint: { replies: [{ keywords: 'late', sentence: 'It is late.' }] },
  translate: { translation: 'Guten Tag.' },
};

/** All that a model is asked in a conversation about this. */
async function askedOf(changes: Partial<ModelScene>, said = 'It is late.'): Promise<Record<string, Asked>> {
  const model = scriptedModel(WORDS);
  const coach = createModelCoach(aScene({ model, ...changes }));
  await collect(coach.reply(held(aConversation('Where is it?', said)), never));
  await coach.review(held(aConversation('Where is it?', said)), never);
  await coach.hint(held(aConversation('Where is it?', said, 'And now?')), { level: 3, signal: never });
  await translateLine({ model, text: 'Where is it?', language: 'German', signal: never });
  return Object.fromEntries(model.asked.map((asked) => [asked.purpose, asked]));
}

describe('what a model is told', () => {
  const level = (englishLevel: ModelScene['learner']['level']) => ({
    learner: { firstName: 'Ana', level: englishLevel, jobTitle: null, industry: null },
  });

  it('differs by level wherever it writes for the learner, and gives numbers to keep to', async () => {
    for (const purpose of ['reply', 'hint', 'review'] as const) {
      const told = await Promise.all(
        [...ENGLISH_LEVELS, null].map(async (each) => (await askedOf(level(each)))[purpose]?.instructions ?? ''),
      );
      expect(new Set(told).size, purpose).toBe(4);
      for (const instructions of told) expect(instructions).toMatch(/at most \d+ words/);
    }
  });

  it('allows as many words in an answer as the coach is let say', async () => {
    for (const [name, words] of Object.entries(MAX_WORDS)) {
      const learnerLevel = name === 'unknown' ? null : (name as EnglishLevel);
      const told = (await askedOf(level(learnerLevel)))['reply']?.instructions;
      expect(told, name).toMatch(new RegExp(`at most ${words} words in all`));
    }
  });

  it('differs by difficulty where it plays the scene', async () => {
    const told = await Promise.all(
      PRACTICE_DIFFICULTIES.map(async (difficulty) => (await askedOf({ difficulty }))['reply']?.instructions),
    );
    expect(new Set(told).size).toBe(3);
  });

  it('says which objectives are open, in numbers', async () => {
    const told = await askedOf({});
    expect(told['reply']?.instructions).toContain('Still open: objective 1, 2, 3.');
  });

  it('is instructed in the same words whoever the learner, the course and the coach are', async () => {
    const one = await askedOf({});
    const other = await askedOf(
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

  it('holds what it needs for a scene, each behind its fence', async () => {
    const [material] = (await askedOf({}))['reply']?.messages ?? [];
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

  it('is nothing of what the learner has not told', async () => {
    const bare = { learner: { firstName: null, level: null, jobTitle: null, industry: null }, remembered: [] };
    const [material] = (await askedOf(bare))['reply']?.messages ?? [];
    expect(material?.text).not.toMatch(/<learner>|<remembered>|null/);
  });
});
