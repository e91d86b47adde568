/** Builds a Postgres table from an entity's declaration, so that columns are declared only once. */
import { assertNever, columnName, isProjection, type Entity, type Field, type Fields } from '@parley/domain';
import { type BuildColumns, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgColumnBuilderBase,
  type PgEnum,
  pgEnum,
  pgTable,
  type PgTableExtraConfigValue,
  type PgTableWithColumns,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

type ColumnOf<F extends Field> =
  F extends Field<infer Value, infer IsNullable>
    ? PgColumnBuilderBase<
        {
          name: string;
          dataType: 'custom';
          columnType: 'Entity';
          data: Value;
          driverParam: unknown;
          enumValues: undefined;
        },
        IsNullable extends true ? { notNull: false } : { notNull: true }
      >
    : never;

type ServerColumns = {
  /** When each field was last written, as hybrid times; the later write of a field wins. */
  fieldClocks: PgColumnBuilderBase<
    {
      name: string;
      dataType: 'json';
      columnType: 'PgJsonb';
      data: Record<string, string>;
      driverParam: unknown;
      enumValues: undefined;
    },
    { notNull: true; hasDefault: true }
  >;
};

type ColumnsOf<F extends Fields> = { [Name in keyof F]: ColumnOf<F[Name]> } & ServerColumns;

export type TableOf<E extends Entity> = PgTableWithColumns<{
  name: E['name'];
  schema: undefined;
  columns: BuildColumns<E['name'], ColumnsOf<E['fields']>, 'pg'>;
  dialect: 'pg';
}>;

const enumByName = new Map<string, PgEnum<[string, ...string[]]>>();

/** Each enumeration becomes one Postgres type, however many columns use it. */
export function enumFor({ name, values }: NonNullable<Field['enumeration']>): PgEnum<[string, ...string[]]> {
  const known = enumByName.get(name);
  if (known !== undefined) return known;
  const made = pgEnum(name, [...values] as [string, ...string[]]);
  enumByName.set(name, made);
  return made;
}

function columnBuilder(name: string, field: Field) {
  switch (field.kind) {
    case 'id':
      return uuid(name);
    case 'text':
      return text(name);
    case 'enum':
      if (field.enumeration === null) throw new Error(`${name} is an enumeration without members`);
      return enumFor(field.enumeration)(name);
    case 'boolean':
      return boolean(name);
    case 'integer':
      return name === 'sync_version' ? bigint(name, { mode: 'number' }) : integer(name);
    case 'real':
      return doublePrecision(name);
    case 'time':
      return timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
    case 'json':
      return jsonb(name);
    default:
      return assertNever(field.kind);
  }
}

function columnFromField(of: Entity, fieldName: string, field: Field): PgColumnBuilderBase {
  const builder = columnBuilder(columnName(fieldName), field);
  if (fieldName === of.key) return builder.primaryKey();
  return field.nullable ? builder : builder.notNull();
}

function columnsFromFields<E extends Entity>(of: E): ColumnsOf<E['fields']> {
  const own = Object.entries(of.fields).map(([name, field]) => [name, columnFromField(of, name, field)]);
  const fieldClocks = jsonb('field_clocks').$type<Record<string, string>>().notNull().default({});
  // Projections are counted separately, so that writing a session does not read its whole conversation.
  const projected = sizedColumns(of, { isProjected: true });
  return {
    ...Object.fromEntries(own),
    fieldClocks,
    wireBytes: byteCount('wire_bytes', [...sizedColumns(of, { isProjected: false }), 'field_clocks']),
    ...(projected.length === 0 ? {} : { projectedBytes: byteCount('projected_bytes', projected) }),
  };
}

const sizedColumns = (of: Entity, { isProjected }: { isProjected: boolean }): string[] =>
  Object.entries(of.fields)
    .filter(([name, { kind }]) => (kind === 'json' || kind === 'text') && isProjection(of, name) === isProjected)
    .map(([name]) => columnName(name));

/** Generated columns, which queries select by name and which the program never writes or loads with a row. */
export const BYTE_COUNT_COLUMNS: ReadonlySet<string> = new Set(['wireBytes', 'projectedBytes']);

/**
 * The total text length of these columns, which is their size in transit; when stored, they may take a hundredth of
 * that. The database maintains the value for every writer.
 */
function byteCount(name: string, columns: readonly string[]) {
  const sizes = columns.map((column) => `coalesce(octet_length("${column}"::text), 0)`);
  return integer(name)
    .notNull()
    .generatedAlwaysAs(sql.raw(sizes.join(' + ')));
}

const LISTED_BY_DATE: ReadonlySet<string> = new Set(['users', 'practice_history']);

type Columns = Record<string, AnyPgColumn>;

const columnsNamed = (columns: Columns, names: readonly string[]): [AnyPgColumn, ...AnyPgColumn[]] => {
  const [first, ...rest] = names.map((name) => columns[name]).filter((column) => column !== undefined);
  if (first === undefined) throw new Error(`no column among ${names.join(', ')}`);
  return [first, ...rest];
};

/** `tableNamed` finds the tables that foreign keys reference; it is called only after all tables exist. */
export function tableFromEntity<const E extends Entity>(of: E, tableNamed: (name: string) => Columns): TableOf<E> {
  const constraints = (self: unknown): PgTableExtraConfigValue[] => {
    const columns = self as Columns;
    const fields = Object.entries(of.fields);
    const named = (suffix: string, names: readonly string[]): string =>
      [of.name, ...names.map(columnName), suffix].join('_');
    const lowerCase = (name: string): SQL => sql`lower(${columns[name]})`;
    // A deleted row does not occupy its unique key, because the learner may create the same thing again under a new id.
    const uniqueAmong = (names: readonly string[]): PgTableExtraConfigValue =>
      of.owner === 'learner'
        ? uniqueIndex(named('unique', names))
            .on(...columnsNamed(columns, names))
            .where(sql`${columns['deletedAt']} is null`)
        : unique(named('unique', names)).on(...columnsNamed(columns, names));
    return [
      ...fields.flatMap(([name, field]): PgTableExtraConfigValue[] => {
        if (!field.unique) return [];
        if (name === 'email') return [uniqueIndex(named('unique', [name])).on(lowerCase(name))];
        return [uniqueAmong([name])];
      }),
      ...of.uniqueTogether.map(uniqueAmong),
      ...fields.flatMap(([name, field]): PgTableExtraConfigValue[] =>
        field.references === null
          ? []
          : [
              foreignKey({
                name: named('fk', [name]),
                columns: columnsNamed(columns, [name]),
                foreignColumns: columnsNamed(tableNamed(field.references.entity), [field.references.field]),
              }),
            ],
      ),
      ...fields.flatMap(([name, field]): PgTableExtraConfigValue[] =>
        field.kind === 'real' ? [check(named('range', [name]), sql`${columns[name]} between 0 and 100`)] : [],
      ),
      index(named('index', 'userId' in of.fields ? ['userId', 'syncVersion'] : ['syncVersion'])).on(
        ...columnsNamed(columns, 'userId' in of.fields ? ['userId', 'syncVersion'] : ['syncVersion']),
      ),
      // The lists and statistics of the admin panel read all learners by date.
      ...(LISTED_BY_DATE.has(of.name)
        ? [index(named('index', ['createdAt'])).on(...columnsNamed(columns, ['createdAt']))]
        : []),
      // Sorting fifty thousand names by a language's rules takes longer than reading the rest of the page.
      ...(columns['lastName'] === undefined
        ? []
        : [
            index(named('index', ['lastName'])).on(columns['lastName']),
            index(named('desc_index', ['lastName'])).on(sql`${columns['lastName']} desc nulls last`),
          ]),
      // A session's turns are read together at each of its changes.
      ...('sessionId' in of.fields
        ? [index(named('index', ['sessionId'])).on(...columnsNamed(columns, ['sessionId']))]
        : []),
      // Used by a first sync that leaves out turns, to look for the few other rows.
      ...(of.name === 'ai_conversations'
        ? [
            index(named('without_session_index', ['userId', 'syncVersion']))
              .on(...columnsNamed(columns, ['userId', 'syncVersion']))
              .where(sql`${columns['sessionId']} is null`),
          ]
        : []),
    ];
  };
  return pgTable(of.name, columnsFromFields(of), constraints);
}
