/**
 * Checks the fake's own answers against OpenAI's document, because a test on answers that the service never gives would
 * prove nothing.
 */
import { eventProblem, schemaProblem, type SchemaProblem } from './schemas/index.ts';

export function assertValidAnswer<Value>(schema: string, value: Value, isChecked = true): Value {
  if (isChecked) throwIfInvalid(schema, schemaProblem(schema, toJson(value)));
  return value;
}

export function assertValidEvent<Event extends { type: string }>(union: string, event: Event, isChecked = true): Event {
  if (isChecked) throwIfInvalid(event.type, eventProblem(union, toJson(event)));
  return event;
}

/** Undefined fields are not sent. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function throwIfInvalid(what: string, problem: SchemaProblem | null): void {
  if (problem !== null)
    throw new Error(`The fake sent an answer that OpenAI would not send (${what}): ${problem.message}`);
}
