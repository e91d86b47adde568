/** Checks that a learner writes only their own rows, with valid references and ids. */
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
import type { SpokenProtocol } from '../protocol-version.ts';
import { MutationRefused, type ParsedChange, type Values } from './parse-change.ts';

/** Fields that reference a row owned by a learner, by table. */
const OWN_REFERENCES: ReadonlyMap<EntityKey, readonly { name: string; to: EntityKey }[]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
      const to = references === null ? undefined : entityKeyByTable.get(references.entity);
      return to !== undefined && to !== 'users' && entities[to].owner === 'learner' ? [{ name, to }] : [];
    }),
  ]),
);

/** Returns the learner rows that a change references. */
export const referencedRows = ({ key, fields }: ParsedChange): { to: EntityKey; name: string; id: string }[] =>
  (OWN_REFERENCES.get(key) ?? []).flatMap(({ name, to }) => {
    const id = fields[name];
    return typeof id === 'string' ? [{ to, name, id }] : [];
  });

/** Treats another learner's row as absent, so that the response does not reveal that it exists. */
export function requireOwnReferences(change: ParsedChange, batch: Batch, userId: string): void {
  for (const { to, id } of referencedRows(change))
    if (batch.row(to, id)?.['userId'] !== userId) throw new MutationRefused('missing_reference', null);
}

/** A learner may write only their own rows and cannot give one away. */
export function requireOwn(change: ParsedChange, current: Values | undefined, userId: string): void {
  const { key, mutation, fields } = change;
  const ownerField = key === 'users' ? entities.users.key : 'userId';
  const named = key === 'users' ? mutation.rowId : fields[ownerField];
  const isTheirs = current !== undefined && current[ownerField] !== userId;
  if (isTheirs || (named !== undefined && named !== userId)) throw new MutationRefused('not_yours', null);
  if (current === undefined && named === undefined && mutation.op !== 'delete')
    throw new MutationRefused(missingFieldReason(change, ownerField), ownerField);
}

/** Explains why a required field of a new row is missing. */
export const missingFieldReason = ({ refused }: ParsedChange, name: string): 'unknown_field' | 'invalid_value' =>
  refused.find(({ field }) => field === name)?.code ?? 'invalid_value';

/** Two devices that create the same row offline derive the same id, so a derived id must match its source. */
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
