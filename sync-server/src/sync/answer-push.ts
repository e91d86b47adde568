/** A push's answer, in the words of the protocol in which it was asked. */
import type { MutationOutcome, MutationOutcomeV2, PushResponse, PushResponseV2 } from '@parley/contract';

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
