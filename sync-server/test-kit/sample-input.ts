/** Creates an input that a procedure of the contract accepts, so that a call gets as far as the check of the caller. */
import { randomUUID } from 'node:crypto';
import { traverseContractProcedures } from '@orpc/server';
import { serverContract } from '@parley/contract';
import { z } from 'zod';

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** Values that the schema does not reveal, by property name. */
const TEXTS: Readonly<Record<string, string>> = {
  avatar: '',
  code: '123456',
  cover: '',
  email: 'someone@example.com',
  key: 'A'.repeat(43),
  language: 'en',
  link: 'A'.repeat(43),
  locale: 'en-GB',
  requestId: 'A'.repeat(43),
  sha256: 'a'.repeat(64),
  timeZone: 'UTC',
};

export interface SampleOptions {
  now: Date;
  /** The ids to send, by property name; the others are random. */
  ids?: Readonly<Record<string, string>>;
}

/** Returns a valid input for each procedure, by its method and path. */
export function sampleInputs(options: SampleOptions): Map<string, unknown> {
  const inputs = new Map<string, unknown>();
  traverseContractProcedures({ router: serverContract, path: [] }, ({ contract }) => {
    const { inputSchema, route } = contract['~orpc'];
    const schema = z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
    inputs.set(`${route.method} ${route.path}`, sampleOf(schema, { ...options, root: schema, name: '' }));
  });
  return inputs;
}

function sampleOf(schema: Schema, at: SampleOptions & { root: Schema; name: string }): unknown {
  if (schema.$ref !== undefined) return sampleOf(at.root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, at);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  const either = choices.find(({ type }) => type === 'null') ?? choices[0];
  if (either !== undefined) return sampleOf(either, at);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, { ...at, name })]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () =>
        sampleOf(schema.items ?? {}, { ...at, name: at.name.replace(/s$/, '') }),
      );
    case 'string':
      if (schema.format === 'uuid') return at.ids?.[at.name] ?? randomUUID();
      if (schema.format === 'date-time') return at.now.toISOString();
      return TEXTS[at.name] ?? 'x'.repeat(schema.minLength ?? 1);
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}
