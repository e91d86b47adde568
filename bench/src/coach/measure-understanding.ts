/** Measures how well the offline coach understands labelled answers. The coach runs through its public command. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Labelled = z.object({
  id: z.string(),
  practice: z.string(),
  node: z.string(),
  difficulty: z.string(),
  said: z.string(),
  kind: z.enum(['intent', 'bridge', 'asks', 'off']),
  /** Keys of the nodes that are a sensible next step. */
  next: z.array(z.string()),
  objectives: z.array(z.string()),
});
const CoachAnswer = z.object({
  id: z.string(),
  reply: z.string().nullable(),
  kind: z.enum(['intent', 'bridge', 'asks', 'off']),
  objectives: z.array(z.string()),
});

export interface UnderstandingRow {
  what: string;
  percent: number;
  of: number;
  /** The required percentage; a maximum where the row counts mistakes. */
  required: { bar: number; isMaximum: boolean } | null;
  holds: boolean | null;
}

const REQUIRED: Readonly<Record<string, { bar: number; isMaximum: boolean }>> = {
  'fitting answers: the right step, or a bridge': { bar: 88, isMaximum: false },
  'clarifying questions, recognised': { bar: 80, isMaximum: false },
  'off-topic talk, mistaken for an answer': { bar: 12, isMaximum: true },
  'objectives, correctly ticked': { bar: 70, isMaximum: false },
  'answers with a wrong tick': { bar: 3, isMaximum: true },
};

export interface UnderstandingResult {
  rows: UnderstandingRow[];
  seconds: number;
}

const parseJsonLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

export const HELD_OUT = fileURLToPath(new URL('./heldout.jsonl', import.meta.url));
/**
 * Answers to the first twelve practices by another writer, who knew only the scenes. Nothing that is measured was tuned
 * on them.
 */
export const SECOND_HELD_OUT = fileURLToPath(new URL('./heldout-second.jsonl', import.meta.url));

/** `change` imitates what a recogniser makes of each answer. */
export function measureUnderstanding(manifest: string, change: (said: string) => string): UnderstandingResult {
  const labelled = z.array(Labelled).parse(parseJsonLines(readFileSync(manifest, 'utf8')));
  const folder = mkdtempSync(join(tmpdir(), 'parley-coach-'));
  const started = performance.now();
  try {
    const file = join(folder, 'answers.jsonl');
    writeFileSync(file, labelled.map((line) => JSON.stringify({ ...line, said: change(line.said) })).join('\n'));
    const command = fileURLToPath(new URL('../../../scripts/coach.ts', import.meta.url));
    const output = execFileSync(process.execPath, [command, '--manifest', file], {
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    });
    const seconds = (performance.now() - started) / 1_000;
    return { rows: countRows(labelled, z.array(CoachAnswer).parse(parseJsonLines(output))), seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countRows(
  labelled: readonly z.infer<typeof Labelled>[],
  answered: readonly z.infer<typeof CoachAnswer>[],
): UnderstandingRow[] {
  const answers = new Map(answered.map((answer) => [answer.id, answer]));
  const counts = new Map<string, { hits: number; of: number }>();
  const countRow = (row: string, isHit: boolean): void => {
    const { hits, of } = counts.get(row) ?? { hits: 0, of: 0 };
    counts.set(row, { hits: hits + (isHit ? 1 : 0), of: of + 1 });
  };
  for (const { id, kind, next, objectives } of labelled) {
    const answer = answers.get(id);
    if (answer === undefined) throw new Error(`the coach did not answer ${id}`);
    const isAnswer = answer.kind === 'intent' || answer.kind === 'bridge';
    if (kind === 'intent' || kind === 'bridge') {
      const isListed = answer.reply !== null && next.includes(answer.reply);
      countRow('fitting answers: the right step, or a bridge', isAnswer && (isListed || answer.kind === 'bridge'));
      countRow('fitting answers: the right step', isAnswer && isListed);
    }
    if (kind === 'asks') countRow('clarifying questions, recognised', answer.kind === 'asks');
    if (kind === 'off') countRow('off-topic talk, mistaken for an answer', isAnswer);
    for (const objective of objectives) countRow('objectives, correctly ticked', answer.objectives.includes(objective));
    countRow(
      'answers with a wrong tick',
      answer.objectives.some((ticked) => !objectives.includes(ticked)),
    );
  }
  return [...counts].map(([what, { hits, of }]) => {
    const percent = (100 * hits) / of;
    const required = REQUIRED[what] ?? null;
    const holds = required === null ? null : required.isMaximum ? percent <= required.bar : percent >= required.bar;
    return { what, percent, of, required, holds };
  });
}
