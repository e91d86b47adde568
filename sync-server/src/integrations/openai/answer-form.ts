/** Answers that must have a form: told to a model in words, and read from what it wrote. */
import { err, ok, type Result } from '@parley/domain';
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnswerForm } from './question.ts';

/** For a model that is not held to the form by its server. */
export const describeForm = ({ name, schema }: AnswerForm): string =>
  `Answer with one JSON object and nothing else. It is named ${name} and keeps to this JSON schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;

/** After an answer that did not keep to it. */
export const remindOfForm = (form: AnswerForm, problem: string): string =>
  `${describeForm(form)}\nAn earlier answer did not keep to it:\n${problem}`;

/** The problem is for the model alone: it may quote what was said. */
export function readAnswer<Shape extends z.ZodType>(schema: Shape, text: string): Result<z.infer<Shape>, string> {
  const json = parseJson(text);
  if (!json.ok) return err('It was no JSON.');
  const parsed = schema.safeParse(json.value);
  return parsed.success ? ok(parsed.data) : err(z.prettifyError(parsed.error));
}

/** Small models put a sentence or a fence around their JSON, whatever they are told. */
function parseJson(text: string): Result<unknown, null> {
  const bare = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const read of [() => JSON.parse(text), () => JSON.parse(bare), () => JSON.parse(closed(text))]) {
    try {
      return ok(read());
    } catch {
      // The next reading, or none.
    }
  }
  return err(null);
}

/** An answer that a limit of tokens cut off in the middle, with what was begun closed. */
const closed = (text: string): string => jsonrepair(text.slice(Math.max(0, text.indexOf('{'))));
