import { columnName, entities, ENTITY_KEYS, type Field } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from './client.ts';

const POSTGRES_TYPE: Record<Field['kind'], string> = {
  id: 'uuid',
  text: 'text',
  enum: 'USER-DEFINED',
  json: 'jsonb',
  boolean: 'boolean',
  integer: 'integer',
  time: 'timestamp with time zone',
  real: 'double precision',
};

interface Column {
  column_name: string;
  data_type: string;
  is_nullable: string;
  udt_name: string;
}

export function tablesSuite(open: () => Promise<DatabaseConnection>): void {
  let connection: DatabaseConnection;
  beforeAll(async () => {
    connection = await open();
  });
  afterAll(() => connection.close());

  const query = async <Row>(statement: ReturnType<typeof sql>): Promise<Row[]> =>
    ((await connection.db.execute(statement)) as { rows: Row[] }).rows;

  describe('a migrated database', () => {
    it.each(ENTITY_KEYS)('has the columns that %s declares, and its field clocks', async (key) => {
      const { name, fields } = entities[key];
      const actual = await query<Column>(
        sql`select column_name, data_type, is_nullable, udt_name from information_schema.columns where table_name = ${name}`,
      );
      const declared = Object.entries(fields as Record<string, Field>).map(([fieldName, field]) => ({
        column_name: columnName(fieldName),
        data_type: fieldName === 'syncVersion' ? 'bigint' : POSTGRES_TYPE[field.kind],
        is_nullable: field.nullable ? 'YES' : 'NO',
        ...(field.enumeration === null ? {} : { udt_name: field.enumeration.name }),
      }));
      const servers = new Set(['field_clocks', 'wire_bytes', 'projected_bytes']);
      const own = actual.filter((column) => !servers.has(column.column_name));
      expect(own).toHaveLength(declared.length);
      expect(own).toEqual(expect.arrayContaining(declared.map((column) => expect.objectContaining(column))));
      expect(actual.length - own.length).toBe(name === 'practice_history' ? 3 : 2);
    });

    it('lists each enumeration with its members in the domain’s order', async () => {
      const rows = await query<{ name: string; member: string }>(
        sql`select t.typname as name, e.enumlabel as member from pg_enum e join pg_type t on t.oid = e.enumtypid order by t.typname, e.enumsortorder`,
      );
      const enumerations = ENTITY_KEYS.flatMap((key) => Object.values(entities[key].fields as Record<string, Field>))
        .map((field) => field.enumeration)
        .filter((enumeration) => enumeration !== null);
      expect(enumerations.length).toBeGreaterThan(8);
      for (const { name, values } of enumerations)
        expect(rows.filter((row) => row.name === name).map(({ member }) => member)).toEqual(values);
    });

    it('rejects a score above 100 and a row without its learner', async () => {
      const [check] = await query<{ count: number }>(
        sql`select count(*)::int as count from pg_constraint where contype = 'c' and conname like '%_range'`,
      );
      const scores = ENTITY_KEYS.flatMap((key) => Object.values(entities[key].fields as Record<string, Field>)).filter(
        ({ kind }) => kind === 'real',
      );
      expect(check?.count).toBe(scores.length);
      await expect(
        connection.db.execute(
          sql`insert into enrollments (enrollment_id, user_id, course_id, enrollment_date, created_at, updated_at, sync_version)
              values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), now(), now(), 1)`,
        ),
      ).rejects.toMatchObject({ cause: { code: '23503' } });
    });
  });
}
