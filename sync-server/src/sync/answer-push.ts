/** A push's answer, in the words of the protocol in which it was asked. */
import { createHash } from 'node:crypto';
import type { MutationOutcome, MutationOutcomeV2, PushResponse, PushResponseV2 } from '@parley/contract';
import { ENTITY_KEYS, entities, type Field } from '@parley/domain';

/** Another one may take what this one refuses as unknown. */
export const SCHEMA_FINGERPRINT: string = createHash('sha256')
  .update(
    JSON.stringify(
      ENTITY_KEYS.map((key) => [
        entities[key].name,
        Object.entries(entities[key].fields as Record<string, Field>).map(([name, { kind, nullable, enumeration }]) => [
          name,
          kind,
          nullable,
          enumeration?.values ?? [],
        ]),
      ]),
    ),
  )
  .digest('hex')
  .slice(0, 16);

export const asProtocol2 = ({ outcomes, epoch: _epoch, schema: _schema, ...answer }: PushResponse): PushResponseV2 => ({
  ...answer,
  outcomes: outcomes.map(outcomeInProtocol2),
});

function outcomeInProtocol2(outcome: MutationOutcome): MutationOutcomeV2 {
  const { id, status } = outcome;
  if (status !== 'rejected') return { id, status };
  const { code, field } = outcome;
  return { id, status, code: code === 'limit_exceeded' ? 'invalid_value' : code, field };
}
