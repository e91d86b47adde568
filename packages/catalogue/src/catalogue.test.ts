import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Dialogue, type DialogueNode, PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { buildCatalogue, stableId } from './build-catalogue.ts';
import { readMarkedSentence } from './content-files.ts';
import { loadStarterCatalogue } from './index.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const catalogue = loadStarterCatalogue();
const practices = catalogue.practices.flatMap((row) =>
  row.dialogue === null ? [] : [{ ...row, dialogue: row.dialogue }],
);
const WORDS_BY_DIFFICULTY: Record<PracticeDifficulty, [from: number, to: number]> = {
  easy: [2, 10],
  intermediate: [4, 18],
  hard: [6, 22],
};

const nodeOf = (dialogue: Dialogue, key: string): DialogueNode => {
  const node = dialogue.nodes.find((candidate) => candidate.key === key);
  if (node === undefined) throw new Error(`no node ${key}`);
  return node;
};

/** Every way through a dialogue, as the objectives that it proves; fails on a loop. */
function paths(
  dialogue: Dialogue,
  difficulty: PracticeDifficulty,
  at = dialogue.start,
  depth = 0,
): { turns: number; proved: Set<string> }[] {
  if (depth > 20) throw new Error(`"${at}" can be reached for ever`);
  const replies = nodeOf(dialogue, at).replies[difficulty];
  if (replies.length === 0) return [{ turns: depth, proved: new Set() }];
  return replies.flatMap((reply) =>
    paths(dialogue, difficulty, reply.next, depth + 1).map(({ turns, proved }) => ({
      turns,
      proved: new Set([...proved, ...reply.proves.map((proof) => proof.objective)]),
    })),
  );
}

describe('the starter catalogue', () => {
  it('is the bundle of its content files', async () => {
    const built = await buildCatalogue(here('../content'));
    const bundled: unknown = JSON.parse(await readFile(here('./generated/starter-catalogue.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(built)), 'run: npm run bundle -w @parley/catalogue').toEqual(bundled);
  });

  it('has four coaches, three courses, and twelve practices at three levels in six categories or more', () => {
    expect(catalogue.aiAgentProfiles).toHaveLength(4);
    expect(catalogue.courses).toHaveLength(3);
    expect(catalogue.practices).toHaveLength(12);
    expect(new Set(catalogue.practices.map((row) => row.category)).size).toBeGreaterThanOrEqual(6);
    for (const level of ['beginner', 'intermediate', 'advanced'])
      expect(catalogue.practices.filter((row) => row.level === level)).toHaveLength(4);
  });

  it('puts every practice into a course', () => {
    const placed = new Set(catalogue.courseSectionPractices.map((row) => row.practiceId));
    expect(catalogue.practices.filter((row) => !placed.has(row.practiceId)).map((row) => row.title)).toEqual([]);
  });

  it('gives the same key the same id for ever', () => {
    expect(stableId('practice', 'small-talk')).toBe('03b98bdd-f46e-576a-bc49-3ad801d75126');
  });
});

describe.each(practices)('$title', ({ practiceId, dialogue, usefulWords }) => {
  const objectives = catalogue.practiceObjectives
    .filter((row) => row.practiceId === practiceId)
    .map((row) => catalogue.objectives.find((objective) => objective.objectiveId === row.objectiveId)?.key);

  it.each(PRACTICE_DIFFICULTIES)('ends on every path, and some path proves every objective (%s)', (difficulty) => {
    const all = paths(dialogue, difficulty);
    expect(Math.min(...all.map((path) => path.turns))).toBeGreaterThanOrEqual(4);
    expect(Math.max(...all.map((path) => path.proved.size))).toBe(objectives.length);
  });

  it('has real branches', () => {
    const branching = dialogue.nodes.filter((node) => new Set(node.replies.easy.map((reply) => reply.next)).size > 1);
    expect(branching.length).toBeGreaterThan(0);
  });

  it.each(PRACTICE_DIFFICULTIES)('has replies that can be said in one breath and told apart (%s)', (difficulty) => {
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

describe('a marked sentence', () => {
  it('is read without its marks, and keeps its proofs', () => {
    expect(readMarkedSentence('I am [very sorry](apologise).')).toEqual({
      text: 'I am very sorry.',
      proves: [{ words: 'very sorry', objective: 'apologise' }],
    });
  });
});
