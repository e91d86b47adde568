/** Detects at startup whether the database was restored to an earlier time, and if so begins a new epoch. */
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database, DatabaseConnection } from '../../db/client.ts';
import type { RestoreMarker } from '../../db/restore-marker.ts';
import { serverState } from '../../db/tables.ts';
import { renewServerEpoch } from './epoch.ts';

export type EpochReason = 'identity_changed' | 'marker_ahead' | 'marker_differs' | 'marker_missing' | 'requested';

/** Identifies a PostgreSQL database and its timeline; a value is null when the server may not read it. */
const Identity = z.object({
  system: z.string().nullable(),
  database: z.string().nullable(),
  timeline: z.string().nullable(),
});
type Identity = z.infer<typeof Identity>;

/** Returns why a new epoch began, or null when the database was not restored. */
export async function detectRestore({ db, jobs, marker }: DatabaseConnection): Promise<EpochReason | null> {
  const identity = jobs.type === 'postgres' ? await readIdentity(db) : null;
  const mark = (await marker?.read()) ?? null;
  const reason = await db.transaction(async (tx) => {
    const [state] = await tx.select().from(serverState).for('update');
    const found =
      identity !== null
        ? isDifferentDatabase(identity, parseIdentity(state?.identity ?? null))
          ? ('identity_changed' as const)
          : null
        : marker === null
          ? null
          : compareMark(mark, { epoch: state?.epoch ?? '', commits: state?.commits ?? 0 });
    if (found !== null) await renewServerEpoch(tx);
    if (identity !== null) await tx.update(serverState).set({ identity: JSON.stringify(identity) });
    return found;
  });
  await recordMark(db, marker);
  return reason;
}

/** Begins a new epoch on request, after a restore that cannot be detected, such as a dump loaded into the same database. */
export async function startNewEpoch({ db, marker }: DatabaseConnection): Promise<EpochReason> {
  await db.transaction(renewServerEpoch);
  await recordMark(db, marker);
  return 'requested';
}

async function recordMark(db: Database, marker: RestoreMarker | null): Promise<void> {
  const [state] = await db.select().from(serverState);
  if (marker !== null && state !== undefined) await marker.record({ epoch: state.epoch, commits: state.commits });
}

function compareMark(
  mark: { epoch: string; commits: number } | null,
  state: { epoch: string; commits: number },
): EpochReason | null {
  if (mark === null) return state.commits > 0 ? 'marker_missing' : null;
  if (mark.epoch !== state.epoch) return 'marker_differs';
  return state.commits < mark.commits ? 'marker_ahead' : null;
}

function parseIdentity(stored: string | null): Identity | null {
  if (stored === null) return null;
  try {
    return Identity.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Only values known on both sides can differ. */
const isDifferentDatabase = (now: Identity, before: Identity | null): boolean =>
  before !== null &&
  (['system', 'database', 'timeline'] as const).some(
    (name) => now[name] !== null && before[name] !== null && now[name] !== before[name],
  );

async function readIdentity(db: Database): Promise<Identity> {
  return {
    system: await readText(db, sql`select system_identifier::text as value from pg_control_system()`),
    database: await readText(db, sql`select oid::text as value from pg_database where datname = current_database()`),
    timeline: await readText(db, sql`select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as value`),
  };
}

const OneText = z.tuple([z.object({ value: z.string() })]);

/** Some hosting providers do not permit these queries. */
async function readText(db: Database, query: SQL): Promise<string | null> {
  try {
    const { rows } = (await db.execute(query)) as { rows: unknown[] };
    return OneText.parse(rows)[0].value;
  } catch {
    return null;
  }
}
