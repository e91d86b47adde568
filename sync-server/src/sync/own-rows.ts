/** What a learner may write: their own rows, about rows of their own, under ids that are what they should be. */
import {
  ENTITY_KEYS,
  entities,
  enrolmentId,
  type EntityKey,
  entityKeyByTable,
  type Field,
  isDerivedId,
} from '@parley/domain';
import type { Batch } from './batch.ts';
import type { SpokenProtocol } from './protocol-version.ts';
import { MutationRefused, type ReadChange, type Values } from './read-change.ts';

/** By table: the fields that name a row which belongs to a learner. */
const OWN_REFERENCES: ReadonlyMap<EntityKey, readonly { name: string; to: EntityKey }[]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
      const to = references === null ? undefined : entityKeyByTable.get(references.entity);
      return to !== undefined && to !== 'users' && entities[to].owner === 'learner' ? [{ name, to }] : [];
    }),
  ]),
);

/** The learners' rows that a change refers to. */
export const referredRows = ({ key, fields }: ReadChange): { to: EntityKey; name: string; id: string }[] =>
  (OWN_REFERENCES.get(key) ?? []).flatMap(({ name, to }) => {
    const id = fields[name];
    return typeof id === 'string' ? [{ to, name, id }] : [];
  });

/** Another learner's row is treated as absent: the answer does not tell that it exists, and nothing refers to it. */
export function requireReferred(change: ReadChange, batch: Batch, userId: string): void {
  for (const { to, id } of referredRows(change))
    if (batch.row(to, id)?.['userId'] !== userId) throw new MutationRefused('missing_reference', null);
}

/** A learner writes their own rows, and never gives one away. */
export function requireOwn(change: ReadChange, current: Values | undefined, userId: string): void {
  const { key, mutation, fields } = change;
  const ownerField = key === 'users' ? entities.users.key : 'userId';
  const named = key === 'users' ? mutation.rowId : fields[ownerField];
  const isTheirs = current !== undefined && current[ownerField] !== userId;
  if (isTheirs || (named !== undefined && named !== userId)) throw new MutationRefused('not_yours', null);
  if (current === undefined && named === undefined && mutation.op !== 'delete')
    throw new MutationRefused(refusalOf(change, ownerField), ownerField);
}

/** Why a field that a new row needs is not there. */
export const refusalOf = ({ refused }: ReadChange, name: string): 'unknown_field' | 'invalid_value' =>
  refused.find(({ field }) => field === name)?.code ?? 'invalid_value';

/** Two devices that make the same row offline make it under one id, so such an id must be what it was derived from. */
export function requireDerivedId(
  key: EntityKey,
  row: Values,
  { isNew, protocol }: { isNew: boolean; protocol: SpokenProtocol },
): void {
  const id = String(row[entities[key].key]);
  const isWrong =
    (key === 'enrollments' && isDerivedId(id) && id !== enrolmentId(String(row['userId']), String(row['courseId']))) ||
    (key === 'pronunciationImprovementSummary' && isNew && protocol === 3 && id !== row['userId']);
  if (isWrong) throw new MutationRefused('invalid_value', entities[key].key);
}
