/** The fake's own answers keep to OpenAI's document too: a test on answers that the service never gives would prove nothing. */
import { eventProblem, schemaProblem, type SchemaProblem } from '../schemas/index.ts';

export function checkedAnswer<Value>(schema: string, value: Value, isChecked = true): Value {
  if (isChecked) refuse(schema, schemaProblem(schema, travelled(value)));
  return value;
}

export function checkedEvent<Event extends { type: string }>(union: string, event: Event, isChecked = true): Event {
  if (isChecked) refuse(event.type, eventProblem(union, travelled(event)));
  return event;
}

/** Fields that are undefined do not travel. */
const travelled = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function refuse(what: string, problem: SchemaProblem | null): void {
  if (problem !== null) throw new Error(`The fake answers what OpenAI would not (${what}): ${problem.message}`);
}
