import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from './build-catalogue.ts';
import { parseMarkedSentence } from './content-schemas.ts';
import { loadStarterCatalogue } from './index.ts';
import { readSharedActs } from './scenes/index.ts';
import { stableId } from './stable-id.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const catalogue = loadStarterCatalogue();
const practices = catalogue.practices.flatMap((row) =>
  row.dialogue === null ? [] : [{ ...row, dialogue: row.dialogue }],
);
/** A school pushes a practice as one row, and a push may have 1 MiB. */
const MAX_DIALOGUE_BYTES = 262_144;
const WORDS_BY_DIFFICULTY: Record<PracticeDifficulty, [from: number, to: number]> = {
  easy: [2, 14],
  intermediate: [4, 22],
  hard: [5, 26],
};

/** Spoken lines keep straight apostrophes: they are compared with recognised and typed text. */
const SPOKEN_FIELDS = ['dialogue', 'manner'];

function readTextsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('data:') ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (SPOKEN_FIELDS.includes(name) ? [] : readTextsOf(inner)));
}

describe('starter catalogue', () => {
  it('matches its content files', async () => {
    const built = await buildCatalogue(here('../content'));
    const bundled: unknown = JSON.parse(await readFile(here('./generated/starter-catalogue.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(built)), 'run: npm run bundle -w @parley/catalogue').toEqual(bundled);
    const acts: unknown = JSON.parse(await readFile(here('./generated/shared-acts.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(readSharedActs(here('../content'))))).toEqual(acts);
  });

  it('has eight coaches, nine courses, and practices at all levels in ten categories', () => {
    expect(catalogue.aiAgentProfiles).toHaveLength(8);
    expect(catalogue.courses).toHaveLength(9);
    expect(new Set(catalogue.practices.map((row) => row.category)).size).toBe(10);
    for (const level of ['beginner', 'intermediate', 'advanced'])
      expect(catalogue.practices.filter((row) => row.level === level).length).toBeGreaterThanOrEqual(4);
  });

  it('keeps the practices, nodes and objectives that learners’ histories refer to', async () => {
    const kept: Record<string, { nodes: string[]; objectives: string[] }> = JSON.parse(
      await readFile(here('./kept-keys.json'), 'utf8'),
    );
    for (const [practice, { nodes, objectives }] of Object.entries(kept)) {
      const row = practices.find(({ practiceId }) => practiceId === stableId('practice', practice));
      const keys = row?.dialogue.nodes.map(({ key }) => key) ?? [];
      expect(
        nodes.filter((node) => !keys.includes(node)),
        practice,
      ).toEqual([]);
      const objectiveIds = new Set<string>(catalogue.objectives.map(({ objectiveId }) => objectiveId));
      expect(objectives.filter((key) => !objectiveIds.has(stableId('objective', practice, key)))).toEqual([]);
    }
  });

  it('gives each coach a different voice, style and set of phrases', () => {
    const profiles = catalogue.aiAgentProfiles;
    const all = (values: readonly unknown[]): number => new Set(values.map((value) => JSON.stringify(value))).size;
    expect(all(profiles.map(({ voice }) => voice))).toBe(profiles.length);
    expect(all(profiles.map(({ avatarUrl }) => avatarUrl))).toBe(profiles.length);
    const phrases = profiles.flatMap(({ manner }) => Object.values(manner).flat());
    expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
  });

  it('fits into the sync limits', () => {
    for (const { title, dialogue } of practices) {
      const bytes = Buffer.byteLength(JSON.stringify(dialogue));
      expect(bytes, title).toBeLessThan(MAX_DIALOGUE_BYTES);
    }
  });

  it('names the coach of a practice in its texts', () => {
    for (const { description, scenario, learnerRole, descriptionSummary } of catalogue.practices)
      expect([description, scenario, learnerRole, descriptionSummary].join(' ')).not.toMatch(/[{}]/);
  });

  it('has typographic apostrophes and quotation marks in texts that are only read', () => {
    expect(readTextsOf(catalogue).filter((text) => /['"]/.test(text))).toEqual([]);
  });

  it('puts every practice into a course', () => {
    const placed = new Set(catalogue.courseSectionPractices.map((row) => row.practiceId));
    expect(catalogue.practices.filter((row) => !placed.has(row.practiceId)).map((row) => row.title)).toEqual([]);
  });

  it('derives the same id from the same key', () => {
    expect(stableId('practice', 'small-talk')).toBe('03b98bdd-f46e-576a-bc49-3ad801d75126');
  });
});

describe.each(practices)('$title', ({ dialogue, usefulWords }) => {
  it('branches', () => {
    const branching = dialogue.nodes.filter((node) => new Set(node.replies.easy.map((reply) => reply.next)).size > 1);
    expect(branching.length).toBeGreaterThan(0);
  });

  it.each(PRACTICE_DIFFICULTIES)('has short, distinguishable replies (%s)', (difficulty) => {
    const [from, to] = WORDS_BY_DIFFICULTY[difficulty];
    for (const node of dialogue.nodes) {
      for (const { text } of node.replies[difficulty]) {
        const words = text.split(' ').length;
        expect(words, text).toBeGreaterThanOrEqual(from);
        expect(words, text).toBeLessThanOrEqual(to);
        expect(text).toMatch(/[.?!]$/);
      }
      expect(new Set(node.replies[difficulty].map((reply) => reply.text)).size).toBe(node.replies[difficulty].length);
    }
  });

  it('explains four to six useful words', () => {
    expect(usefulWords.length).toBeGreaterThanOrEqual(4);
    expect(usefulWords.length).toBeLessThanOrEqual(6);
  });
});

describe('parseMarkedSentence', () => {
  it('removes the marks and keeps the proofs', () => {
    expect(parseMarkedSentence('I am [very sorry](apologise).')).toEqual({
      text: 'I am very sorry.',
      proves: [{ words: 'very sorry', objective: 'apologise' }],
    });
  });
});
