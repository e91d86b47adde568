/** Builds a SQLite table from an entity's declaration, so that columns are declared only once. */
import { assertNever, columnName, type Entity, type Field, type FieldClocks } from '@parley/domain';
import { type BuildColumns, sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  foreignKey,
  index,
  integer,
  real,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

type ColumnOf<F extends Field> =
  F extends Field<infer Value, infer IsNullable>
    ? SQLiteColumnBuilderBase<
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

/** The hybrid time at which each field was set; empty for catalogue rows, which have a single writer. */
type ClockColumns = {
  fieldClocks: SQLiteColumnBuilderBase<
    {
      name: string;
      dataType: 'json';
      columnType: 'Clocks';
      data: FieldClocks;
      driverParam: unknown;
      enumValues: undefined;
    },
    { notNull: true; hasDefault: true }
  >;
};

type ColumnsOf<E extends Entity> = { [Name in keyof E['fields']]: ColumnOf<E['fields'][Name]> } & ClockColumns;

export type TableOf<E extends Entity> = SQLiteTableWithColumns<{
  name: E['name'];
  schema: undefined;
  columns: BuildColumns<E['name'], ColumnsOf<E>, 'sqlite'>;
  dialect: 'sqlite';
}>;

function columnBuilder(name: string, field: Field) {
  switch (field.kind) {
    case 'id':
    case 'text':
      return text(name);
    case 'enum':
      return text(name, field.enumeration === null ? {} : { enum: [...field.enumeration.values] });
    case 'boolean':
      return integer(name, { mode: 'boolean' });
    case 'integer':
      return integer(name);
    case 'real':
      return real(name);
    case 'time':
      return integer(name, { mode: 'timestamp_ms' });
    case 'json':
      return text(name, { mode: 'json' });
    default:
      return assertNever(field.kind);
  }
}

function buildColumn(of: Entity, fieldName: string, field: Field): SQLiteColumnBuilderBase {
  const builder = columnBuilder(columnName(fieldName), field);
  if (fieldName === of.key) return builder.primaryKey().notNull();
  // A partly pulled catalogue must be readable, so only the server enforces its unique keys.
  if (field.unique && of.owner !== 'catalogue') builder.unique();
  return field.nullable ? builder : builder.notNull();
}

const isScalar = ([, field]: [string, Field]): boolean => field.kind !== 'json';

/** JSON columns come last, so that listing sessions does not read their conversations. */
function buildColumns<E extends Entity>(of: E): ColumnsOf<E> {
  const fields = Object.entries(of.fields);
  const ordered = [...fields.filter(isScalar), ...fields.filter((entry) => !isScalar(entry))];
  const clocks = text('field_clocks', { mode: 'json' }).$type<FieldClocks>().notNull().default({});
  return {
    ...Object.fromEntries(ordered.map(([name, field]) => [name, buildColumn(of, name, field)])),
    fieldClocks: clocks,
  } as unknown as ColumnsOf<E>;
}

type Columns = Record<string, AnySQLiteColumn>;

/** Constraints that an entity's declaration does not state: foreign keys between learner rows, and indexes. */
export interface TableExtras {
  /** Learner rows that this row refers to. Catalogue rows are excluded, so that a missing one breaks nothing. */
  belongsTo?: readonly { field: string; of: () => { columns: Columns; key: string } }[];
  indexes?: readonly (readonly string[])[];
}

const columnsNamed = (columns: Columns, names: readonly string[]): [AnySQLiteColumn, ...AnySQLiteColumn[]] => {
  const [first, ...rest] = names.map((name) => columns[name]).filter((column) => column !== undefined);
  if (first === undefined) throw new Error(`no column among ${names.join(', ')}`);
  return [first, ...rest];
};

export function buildTable<const E extends Entity>(of: E, extras: TableExtras = {}): TableOf<E> {
  const constraints = (self: unknown): SQLiteTableExtraConfigValue[] => {
    const columns = self as Columns;
    const named = (prefix: string, names: readonly string[]): string =>
      [of.name, ...names.map(columnName), prefix].join('_');
    const unique = of.owner === 'catalogue' ? [] : of.uniqueTogether;
    return [
      // A deleted row does not reserve its unique key.
      ...unique.map((names) =>
        uniqueIndex(named('unique', names))
          .on(...columnsNamed(columns, names))
          .where(sql`deleted_at is null`),
      ),
      ...(extras.indexes ?? []).map((names) => index(named('index', names)).on(...columnsNamed(columns, names))),
      ...(extras.belongsTo ?? []).map(({ field, of: owner }) => {
        const parent = owner();
        return foreignKey({
          columns: columnsNamed(columns, [field]),
          foreignColumns: columnsNamed(parent.columns, [parent.key]),
        });
      }),
    ];
  };
  return sqliteTable(of.name, buildColumns(of), constraints);
}
