/** Converts the response of a push to protocol 2. */
import type { MutationOutcome, MutationOutcomeV2, PushResponse, PushResponseV2 } from '@parley/contract';

export const toProtocol2Response = ({
  outcomes,
  epoch: _epoch,
  schema: _schema,
  ...answer
}: PushResponse): PushResponseV2 => ({
  ...answer,
  outcomes: outcomes.map(toProtocol2Outcome),
});

function toProtocol2Outcome(outcome: MutationOutcome): MutationOutcomeV2 {
  const { id, status } = outcome;
  if (status !== 'rejected') return { id, status };
  const { code, field } = outcome;
  return { id, status, code: code === 'limit_exceeded' ? 'invalid_value' : code, field };
}
