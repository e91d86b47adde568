import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WordState } from '../learning/word-state.ts';
import { ShortAssessment } from '../scoring/assessment.ts';
import { ENTITY_KEYS, entities } from './index.ts';
import type { Field } from './field.ts';
import { measureJson } from './measure-json.ts';
import { FieldClocks } from '../sync/field-clocks.ts';

const ID = '019aa000-0000-7000-8000-000000000001';

const shapes: readonly [string, z.ZodType][] = [
  ['field clocks', FieldClocks],
  ['word state', WordState],
  ['short assessment', ShortAssessment],
  ...ENTITY_KEYS.flatMap((key) =>
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { shape }]): [string, z.ZodType][] =>
      shape === null ? [] : [[`${key}.${name}`, shape]],
    ),
  ),
];

/** Values of the fields whose rows arrive by the thousand. */
const usual: readonly [name: string, value: unknown][] = [
  ['field clocks', { '*': `1763460000000-0000-${ID}`, summary: `1763460000001-000a-${ID}` }],
  [
    'practiceHistory.feedback',
    {
      best: 'You said what is late.',
      fix: 'Say when it arrives.',
      nextStep: 'Practise “supplier”.',
      wordsToTrain: [{ word: 'supplier', ipa: 'səˈplaɪə', accuracy: 41.5, worstPhonemes: ['aɪ'] }],
      languageQuality: null,
    },
  ],
  ['practiceHistory.completedObjectives', [{ objectiveId: ID, turnId: ID, words: 'We are late.' }]],
  ['userCourseInteraction.details', { sessionId: ID, practiceId: null, videoId: null, courseSectionId: null }],
  [
    'aiConversations.assessment',
    {
      v: 1,
      source: 'device',
      durationMs: 4_200,
      snrDb: 21.5,
      scores: [82.1, 79, null, 100, 80.4],
      words: 'we/are/late',
      phonemes: 'w,iː',
      sounds: 'AB',
      pitch: 'CD',
      pauses: [],
    },
  ],
  [
    'pronunciationImprovementSummary.words',
    [
      {
        word: 'three',
        ipa: 'θɹiː',
        attempts: 3,
        meanAccuracy: 55.4,
        worstPhonemes: ['θ'],
        lastPracticedAt: '2026-11-18T10:00:00.000Z',
        due: '2026-11-20T10:00:00.000Z',
        stability: 2.5,
        difficulty: null,
        counts: { log: { attempts: 3, meanAccuracy: 55.4 } },
      },
    ],
  ],
  [
    'wordAttempts.phonemes',
    [
      ['θ', 40.5, 's'],
      ['ɪ', null, null],
    ],
  ],
];

interface JsonSchema {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema | readonly JsonSchema[];
  prefixItems?: readonly JsonSchema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  additionalProperties?: JsonSchema | boolean;
}

const anything = fc.oneof(
  fc.json().map((json): unknown => JSON.parse(json)),
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    Infinity,
    -0,
    2 ** 53,
    '',
    [],
    {},
    ID,
    ID.toUpperCase(),
    new Date(0),
  ),
);

const aLength = (min = 0, max = Infinity): fc.Arbitrary<number> =>
  fc.constantFrom(min, min + 1, min + 3, ...(max < 5_000 ? [max, max + 1] : [])).filter((length) => length >= 0);

/** Values that mostly match the schema, and otherwise differ from it slightly. */
function nearly(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const usual = ((): fc.Arbitrary<unknown> => {
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => nearly(one, depth)));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.type === 'null') return fc.constant(null);
    if (schema.type === 'boolean') return fc.boolean();
    if (schema.type === 'string') {
      if (schema.format === 'uuid') return fc.oneof(fc.constant(ID), fc.uuid());
      if (schema.format === 'date-time')
        return fc.constantFrom('2026-02-28T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2026-02-30T00:00:00.000Z');
      return aLength(schema.minLength, schema.maxLength).chain((length) =>
        fc.constantFrom('x', '\0', '"', '\ud800').map((character) => character.repeat(length)),
      );
    }
    if (schema.type === 'number' || schema.type === 'integer') {
      const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined);
      const near = bounds.flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 0.5, bound + 1]);
      return fc.oneof(fc.constantFrom(0, 1, 50, -1, 1.5, -1.234_567_890_123_45e-300, ...near), fc.double());
    }
    if (schema.type === 'array' || schema.prefixItems !== undefined) {
      if (schema.prefixItems !== undefined)
        return fc.tuple(...schema.prefixItems.map((item) => nearly(item, depth + 1)));
      const items = Array.isArray(schema.items) ? {} : ((schema.items ?? {}) as JsonSchema);
      const max = Math.min(schema.maxItems ?? 3, 60);
      return aLength(schema.minItems, max).chain((length) =>
        fc.array(nearly(items, depth + 1), { minLength: Math.min(length, 61), maxLength: Math.min(length, 61) }),
      );
    }
    if (schema.properties !== undefined)
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, nearly(one, depth + 1)])),
        { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true },
      );
    if (typeof schema.additionalProperties === 'object')
      return fc.dictionary(
        fc.constantFrom('a', '*', '__proto__', 'x'.repeat(90)),
        nearly(schema.additionalProperties, depth + 1),
        {
          noNullPrototype: true,
        },
      );
    return anything;
  })();
  return fc.oneof({ arbitrary: usual, weight: 40 + 10 * depth }, { arbitrary: anything, weight: 1 });
}

describe('measuring JSON', () => {
  it.each(shapes)('accepts no value of %s that its schema refuses, and expects no less text', (_label, shape) => {
    const measure = measureJson(shape);
    const schema = z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' }) as JsonSchema;
    fc.assert(
      fc.property(nearly(schema), (value) => {
        const length = measure(value);
        const { success } = shape.safeParse(value);
        if (length < 0) return;
        expect(success).toBe(true);
        expect((JSON.stringify(value) as string | undefined)?.length ?? 0).toBeLessThanOrEqual(length);
      }),
      { numRuns: 100 },
    );
  });

  it.each(usual)('accepts a usual value of %s', (name, value) => {
    const shape = new Map(shapes).get(name);
    expect(shape?.safeParse(value).success).toBe(true);
    expect(shape === undefined ? -1 : measureJson(shape)(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length);
  });

  it.each([
    ['an unknown key', z.object({ known: z.string() }), { known: 'x', other: 1 }],
    ['a missing key', z.object({ known: z.string() }), {}],
    ['an inherited key', z.object({ known: z.string() }), Object.create({ known: 'x' })],
    ['a list that is not one', z.array(z.string()), { length: 0 }],
    ['a check of another kind', z.string().regex(/x/), 'x'],
    ['a time without milliseconds', z.iso.datetime(), '2026-11-18T10:00:00Z'],
    ['a time of another precision', z.iso.datetime({ precision: 0 }), '2026-11-18T10:00:00.000Z'],
    ['a number at its lower limit', z.number().positive(), 0],
    ['a record that does not meet its condition', z.record(z.string(), z.number()).refine(() => false), { known: 1 }],
    [
      'a record with a check that reports its own issues',
      z.record(z.string(), z.number()).superRefine(() => undefined),
      {},
    ],
    ['a changed record', z.record(z.string(), z.number()).overwrite((record) => record), { known: 1 }],
    ['a refined object', z.object({ known: z.string() }).refine(() => true), { known: 'x' }],
    ['a changed value', z.string().transform((text) => text.length), 'x'],
  ])('leaves %s to the schema', (_what, shape, value) => {
    expect(measureJson(shape)(value)).toBe(-1);
  });
});
