/**
 * Checks a row of an export: that this app knows all of its fields, that its values are valid, and that it belongs to
 * the learner.
 */
import { entities, type Field, FieldClocks, HYBRID_TIME, isProjection, wireSchema } from '@parley/domain';
import { z } from 'zod';
import { type LearnerKey, orUpdateTime, type Values } from '../store/index.ts';
import { Unreadable } from './unreadable.ts';

export interface ExportedRow {
  key: LearnerKey;
  /** Leaves out fields that each side computes for itself. */
  values: Values;
  clocks: FieldClocks;
  /** The account of the file and the row's id there, if that is another account. */
  origin?: { userId: string; id: string };
}

/** Returns a function that throws `Unreadable` for a row that cannot be imported. */
export function rowParser(key: LearnerKey, userId: string): (json: string) => ExportedRow {
  const entity = entities[key];
  const declared: Readonly<Record<string, Field>> = entity.fields;
  const initials = initialsOf(declared);
  const schema = z.object(
    Object.fromEntries(Object.entries(wireSchema(entity).shape).filter(([name]) => !isProjection(entity, name))),
  );
  return (json) => {
    const { fieldClocks, ...named } = parseJson(json) as Record<string, unknown>;
    if (Object.keys(named).some((name) => !Object.hasOwn(declared, name))) throw new Unreadable('import.newer_version');
    const parsed = schema.safeParse({ ...initials, ...named });
    if (!parsed.success || parsed.data['userId'] !== userId) throw new Unreadable('import.damaged');
    return { key, values: parsed.data, clocks: orUpdateTime(key, parsed.data, parseTimes(fieldClocks)) };
  };
}

/** Does the same for rows that exist only on devices. */
export function deviceRowParser<Row extends { userId: string }>(
  schema: z.ZodType<Row>,
  userId: string,
): (json: string) => Row {
  return (json) => {
    const parsed = schema.safeParse(parseJson(json));
    if (!parsed.success || parsed.data.userId !== userId) throw new Unreadable('import.damaged');
    return parsed.data;
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unreadable('import.damaged');
  }
}

/** A field that did not exist when the export was made. */
const initialsOf = (declared: Readonly<Record<string, Field>>): Values =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
  );

function parseTimes(value: unknown): FieldClocks {
  const times = FieldClocks.safeParse(value ?? {});
  if (!times.success || !Object.values(times.data).every((time) => HYBRID_TIME.test(time)))
    throw new Unreadable('import.damaged');
  return times.data;
}
