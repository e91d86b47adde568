/** The schema, query and mutators of Zero, shared by device and server as its guide recommends. */
import { loadPeer } from '../../install-peers.ts';
import type { PracticeRow, RowDigest } from '../../workload-rows.ts';

interface Column {
  optional: () => Column;
}
interface Table {
  insert: (row: PracticeRow) => Promise<void>;
  update: (row: RowDigest) => Promise<void>;
}
export interface Call<Args> {
  tx: { mutate: { rows: Table } };
  args: Args;
}
export interface Mutator<Args> {
  (args: Args): unknown;
  fn: (call: Call<Args>) => Promise<void>;
}
export interface Query {
  (): unknown;
  fn: (call: { args: unknown; ctx: unknown }) => unknown;
}

interface Zero {
  table: (name: string) => { columns: (columns: Record<string, Column>) => { primaryKey: (name: string) => unknown } };
  string: () => Column;
  number: () => Column;
  json: () => Column;
  createSchema: (parts: { tables: unknown[]; relationships: unknown[] }) => unknown;
  createBuilder: (schema: unknown) => { rows: unknown };
  defineQuery: (make: () => unknown) => unknown;
  defineQueries: (queries: { all: unknown }) => { all: Query };
  defineMutator: <Args>(act: (call: Call<Args>) => Promise<void>) => unknown;
  defineMutators: (mutators: { insert: unknown; change: unknown }) => Mutators;
}

export interface Mutators {
  insert: Mutator<{ rows: readonly PracticeRow[] }>;
  change: Mutator<RowDigest>;
}

export interface Model {
  schema: unknown;
  queries: { all: Query };
  mutators: Mutators;
}

export async function loadModel(): Promise<Model> {
  const zero = await loadPeer<Zero>('@rocicorp/zero');
  const { json, number, string } = zero;
  const score = (): Column => number().optional();
  const rows = zero
    .table('rows')
    .columns({
      id: string(),
      practiceId: string(),
      agentId: string(),
      feedback: json().optional(),
      score: score(),
      accuracyScore: score(),
      fluencyScore: score(),
      prosodyScore: score(),
      completenessScore: score(),
      pronScore: score(),
      wordsScore: score(),
      completedObjectives: json(),
      duration: number(),
      communicationStyle: string(),
      status: string(),
      summary: string(),
      difficulty: string(),
      turns: json().optional(),
    })
    .primaryKey('id');
  const schema = zero.createSchema({ tables: [rows], relationships: [] });
  const builder = zero.createBuilder(schema);
  return {
    schema,
    queries: zero.defineQueries({ all: zero.defineQuery(() => builder.rows) }),
    mutators: zero.defineMutators({
      insert: zero.defineMutator<{ rows: readonly PracticeRow[] }>(async ({ tx, args }) => {
        // All statements start together, so that they share one pipeline.
        await Promise.all(args.rows.map((row) => tx.mutate.rows.insert(row)));
      }),
      change: zero.defineMutator<RowDigest>(({ tx, args }) => tx.mutate.rows.update(args)),
    }),
  };
}

/** The same schema in PostgreSQL. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS rows (
  id text PRIMARY KEY, "practiceId" text NOT NULL, "agentId" text NOT NULL, feedback jsonb, score double precision,
  "accuracyScore" double precision, "fluencyScore" double precision, "prosodyScore" double precision,
  "completenessScore" double precision, "pronScore" double precision, "wordsScore" double precision,
  "completedObjectives" jsonb NOT NULL, duration integer NOT NULL,
  "communicationStyle" text NOT NULL, status text NOT NULL, summary text NOT NULL, difficulty text NOT NULL,
  turns jsonb
)`;
