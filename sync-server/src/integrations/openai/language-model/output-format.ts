/** Describes the structured output to the model and parses what the model wrote. */
import { err, ok, type Result } from '@parley/domain';
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { OutputFormat } from './model-request.ts';

/** For a server that does not enforce the schema itself. */
export const formatInstructions = ({ name, schema }: OutputFormat): string =>
  `Answer with one JSON object and nothing else. It is named ${name} and keeps to this JSON schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;

/** Repeats the format and the problem after an answer that did not match. */
export const formatReminder = (format: OutputFormat, problem: string): string =>
  `${formatInstructions(format)}\nAn earlier answer did not keep to it:\n${problem}`;

/** The problem goes back to the model only, because it may quote the learner. */
export function parseAnswer<Shape extends z.ZodType>(schema: Shape, text: string): Result<z.infer<Shape>, string> {
  const json = parseJson(text);
  if (!json.ok) return err('It was no JSON.');
  const parsed = schema.safeParse(json.value);
  return parsed.success ? ok(parsed.data) : err(z.prettifyError(parsed.error));
}

/** Small models put a sentence or a code fence around their JSON despite the instructions. */
function parseJson(text: string): Result<unknown, null> {
  const jsonSlice = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const parse of [() => JSON.parse(text), () => JSON.parse(jsonSlice), () => JSON.parse(repairTruncated(text))]) {
    try {
      return ok(parse());
    } catch {
      // Try the next reading.
    }
  }
  return err(null);
}

/** Closes open strings and brackets when a token limit has truncated the response. */
const repairTruncated = (text: string): string => jsonrepair(text.slice(Math.max(0, text.indexOf('{'))));
